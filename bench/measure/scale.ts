import type { Figure } from '../figure.ts'

const target = { of: 'ratio', value: 0.9 } as const

/** Each ratio of a large estate, to the same of a small one that was measured in turn with it: round by round. */
export function heldAgainst(large: Figure[], small: Figure[]): Figure[] {
  return large.flatMap((figure) => {
    const { name, engine, scale, limit, ratios } = figure
    const before = small.find((one) => one.name === name && one.limit === limit)
    if (ratios === undefined || before?.ratios === undefined) return []
    const itself = `at scale ${before.scale}, to ${limit}`
    return {
      name: `${name} at scale ${scale}`,
      engine,
      scale,
      unit: 'times',
      measured: ratios,
      limit: itself,
      limits: before.ratios,
      ratios: ratios.map((ratio, round) => ratio / (before.ratios?.[round] as number)),
      target,
      details: { small: { measured: before.measured, limits: before.limits, ...before.details } },
    }
  })
}

/** Nothing else is said in times. */
export function isHeldAgainst({ unit }: Figure): boolean {
  return unit === 'times'
}
