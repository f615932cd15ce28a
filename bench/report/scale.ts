import type { Figure } from '../figure.ts'
import { spreadOf } from '../statistics.ts'

const target = 0.9

/** Each ratio at a larger scale, to itself at scale 1. What two bare processes reach is the machine's, not an estate's. */
export function scaleFigures(figures: Figure[], scale: number): Figure[] {
  if (scale === 1) return []
  return figures
    .filter(
      (figure) =>
        figure.scale === scale && figure.peer === undefined && isOurs(figure) && (figure.ratios?.length ?? 0) > 0,
    )
    .flatMap((large) => {
      const small = figures.find((figure) => figure.scale === 1 && isSame(figure, large))
      if (small?.ratios === undefined || large.ratios === undefined) return []
      const before = spreadOf(small.ratios).median
      return [{ ...compared(large, before), ratios: large.ratios.map((ratio) => ratio / before) }]
    })
}

function isOurs({ name }: Figure): boolean {
  return !name.startsWith('bare ')
}

function isSame(one: Figure, other: Figure): boolean {
  return one.name === other.name && one.engine === other.engine && one.limit === other.limit && one.peer === other.peer
}

function compared({ name, engine, scale, ratios = [], limit = '' }: Figure, before: number): Figure {
  return {
    name: `${name} at scale ${scale}`,
    engine,
    scale,
    unit: 'times',
    measured: ratios,
    limit: `at scale 1, to ${limit}`,
    limits: [before],
    target: { of: 'ratio', value: target },
  }
}
