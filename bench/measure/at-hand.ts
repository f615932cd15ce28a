/** How often Atrium has looked for something in its memory, by what it looked for, as `/metrics` counts it. */
type LookUps = Map<string, { hits: number; misses: number }>

const count = /^atrium_memory_(hits|misses)_total\{of="(\w+)"\} (\d+)$/gm

export async function lookUps(url: string): Promise<LookUps> {
  return readLookUps(await (await fetch(`${url}/metrics`)).text())
}

function readLookUps(metrics: string): LookUps {
  const all: LookUps = new Map()
  for (const [, figure, of, value] of metrics.matchAll(count)) {
    const counts = all.get(of as string) ?? { hits: 0, misses: 0 }
    counts[figure as 'hits' | 'misses'] = Number(value)
    all.set(of as string, counts)
  }
  return all
}

/** The share of look-ups since then that found what they wanted; of what nobody looked for there is none. */
export function atHand(before: LookUps, after: LookUps): Record<string, number> {
  const shares = [...after].map(([of, { hits, misses }]) => {
    const found = hits - (before.get(of)?.hits ?? 0)
    const missed = misses - (before.get(of)?.misses ?? 0)
    return [of, found / (found + missed)] as const
  })
  return Object.fromEntries(shares.filter(([, share]) => !Number.isNaN(share)))
}
