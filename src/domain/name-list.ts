/** Sorted names in one string, with a space before and after each. It takes a sixth of the memory of a Set. */
export type NameList = string

export function nameList(names: string[]): NameList {
  return ` ${names.toSorted().join(' ')} `
}

/** Returns whether the list has the name, by binary search in the string. */
export function isInNameList(list: NameList, name: string): boolean {
  // Invariant: `low` and `high` are the positions of spaces, and the name can only be between them.
  let low = 0
  let high = list.length - 1
  while (low < high) {
    const start = list.lastIndexOf(' ', (low + high - 1) >> 1) + 1
    const end = list.indexOf(' ', start)
    const order = compare(list, start, end, name)
    if (order === 0) return true
    if (order < 0) low = end
    else high = start - 1
  }
  return false
}

function compare(list: string, start: number, end: number, name: string): number {
  const length = Math.min(end - start, name.length)
  for (let at = 0; at < length; at++) {
    const difference = list.charCodeAt(start + at) - name.charCodeAt(at)
    if (difference !== 0) return difference
  }
  return end - start - name.length
}
