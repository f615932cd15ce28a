/** Names without spaces in one text, in order, a space before and after each: a fraction of what an array takes. */
export function inOneText(names: string[]): string {
  return ` ${names.toSorted().join(' ')} `
}

export function namesIn(text: string): string[] {
  return text.slice(1, -1).split(' ')
}

export function isAmong(text: string, name: string): boolean {
  // Both stand on spaces: what is looked for can only be between them.
  let low = 0
  let high = text.length - 1
  while (low < high) {
    const start = text.lastIndexOf(' ', (low + high - 1) >> 1) + 1
    const end = text.indexOf(' ', start)
    const order = compare(text, start, end, name)
    if (order === 0) return true
    if (order < 0) low = end
    else high = start - 1
  }
  return false
}

function compare(text: string, start: number, end: number, name: string): number {
  const length = Math.min(end - start, name.length)
  for (let at = 0; at < length; at++) {
    const difference = text.charCodeAt(start + at) - name.charCodeAt(at)
    if (difference !== 0) return difference
  }
  return end - start - name.length
}
