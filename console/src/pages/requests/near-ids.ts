/** Ids within so many edits are offered as what was meant. */
const editsAtMost = 3
const offeredAtMost = 3

/** The ids that are nearest to a mistyped one, the nearest first. */
export function nearIds(asked: string, ids: string[]): string[] {
  const limit = Math.min(editsAtMost, Math.max(1, Math.floor(asked.length / 3)))
  return ids
    .map((id) => ({ id, edits: distance(asked.toLowerCase(), id.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits || (a.id < b.id ? -1 : 1))
    .slice(0, offeredAtMost)
    .map(({ id }) => id)
}

/** The Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1])
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced))
    }
    row = next
  }
  return row[b.length] ?? 0
}
