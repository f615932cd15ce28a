import type { Figure } from '../figure.ts'
import { ratioTarget } from '../targets.ts'

/** Each ratio of a large estate, to the same of a small one that was measured in turn with it. */
export function heldAgainst(large: Figure[], small: Figure[]): Figure[] {
  return large.flatMap((figure) => {
    const { name, engine, scale, limit } = figure
    const before = small.find((one) => one.name === name && one.limit === limit)
    const compared = roundByRound(figure, before)
    if (compared === undefined || before === undefined) return []
    const { measured, limits, details } = before
    const target = ratioTarget(name, 'scale')
    return {
      name: `${name} at scale ${scale}`,
      engine,
      scale,
      ...compared,
      limit: `at scale ${before.scale}, to ${limit}`,
      ...(target && { target }),
      details: { small: { measured, limits, ...details } },
    }
  })
}

/** The ratios of one, and what they are to those of the other, whose rounds stood beside its own. */
export function roundByRound(
  { ratios }: Figure,
  other: Figure | undefined,
): (Pick<Figure, 'measured' | 'limits' | 'ratios'> & { unit: 'times' }) | undefined {
  const others = other?.ratios
  if (ratios === undefined || others === undefined) return undefined
  return {
    unit: 'times',
    measured: ratios,
    limits: others,
    ratios: ratios.map((ratio, round) => ratio / (others[round] as number)),
  }
}

/** A large estate to a small one. */
export function isHeldAgainst({ unit, name }: Figure): boolean {
  return unit === 'times' && name.includes(' at scale ')
}
