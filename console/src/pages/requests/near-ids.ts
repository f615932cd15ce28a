/** Maximum edit distance between a requested id and a suggestion. */
const maxEdits = 3
const maxSuggestions = 3

/** Returns the most similar ids, the nearest first. */
export function nearIds(requested: string, ids: string[]): string[] {
  const limit = Math.min(maxEdits, Math.max(1, Math.floor(requested.length / 3)))
  return ids
    .map((id) => ({ id, edits: distance(requested.toLowerCase(), id.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits || (a.id < b.id ? -1 : 1))
    .slice(0, maxSuggestions)
    .map(({ id }) => id)
}

/** Returns the Levenshtein distance. */
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
