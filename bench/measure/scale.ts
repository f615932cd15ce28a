import type { Figure } from '../figure.ts'
import { ratioTarget } from '../targets.ts'

/** Divides each ratio of a large estate by that of a small one measured alternately with it. */
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

/** Returns the ratios of one, divided by those of the other in the neighboring rounds. */
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

/** Compares a large estate with a small one. */
export function isHeldAgainst({ unit, name }: Figure): boolean {
  return unit === 'times' && name.includes(' at scale ')
}
