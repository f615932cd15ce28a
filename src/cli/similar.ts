const maxEdits = 3

/** Returns `: did you mean "x"?` with the most similar candidate, or an empty string if none is similar. */
export function didYouMean(text: string, candidates: string[]): string {
  const limit = Math.min(maxEdits, Math.ceil(text.length / 3))
  const given = text.toLowerCase()
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(given, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= limit || (given !== '' && candidate.toLowerCase().startsWith(given)))
    .sort((a, b) => a.edits - b.edits)
  return ranked[0] === undefined ? '' : `: did you mean "${ranked[0].candidate}"?`
}

/** Returns the number of edits between two words; swapped neighbours count as one (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const cost = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        cost(i - 1, j) + 1,
        cost(i, j - 1) + 1,
        cost(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? cost(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return cost(a.length, b.length)
}
