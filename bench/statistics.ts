/** Returns a quantile of ascending values; `share` 0 is the minimum, 1 the maximum. */
export function percentile(ascending: number[], share: number): number {
  const index = Math.min(Math.ceil(share * ascending.length) - 1, ascending.length - 1)
  return ascending[Math.max(index, 0)] ?? Number.NaN
}

export interface Spread {
  median: number
  min: number
  max: number
}

export function spreadOf(values: number[]): Spread {
  const ascending = values.toSorted((a, b) => a - b)
  const middle = (ascending.length - 1) / 2
  const below = ascending[Math.floor(middle)] ?? Number.NaN
  const above = ascending[Math.ceil(middle)] ?? Number.NaN
  return { median: (below + above) / 2, min: ascending[0] ?? Number.NaN, max: ascending.at(-1) ?? Number.NaN }
}

/** Divides each measurement by the mean of the reference just before and after it. */
export function ratiosToNeighbours(measured: number[], limit: number[]): number[] {
  return measured.map((value, round) => {
    const before = limit[round] as number
    const after = limit[round + 1] ?? before
    return value / ((before + after) / 2)
  })
}
