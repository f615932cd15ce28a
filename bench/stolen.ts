import { readFileSync } from 'node:fs'

/** The time of all processors since the system began, in its own ticks, and what of it their host gave to others. */
export interface Ticks {
  all: number
  stolen: number
}

/** Undefined where the system does not tell. */
export function ticksNow(file = '/proc/stat'): Ticks | undefined {
  try {
    return ticksIn(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** user, nice, system, idle, iowait, irq, softirq, steal; what follows is in the first two already. */
export function ticksIn(text: string): Ticks | undefined {
  const columns = /^cpu +((?:\d+ ?){8})/.exec(text)?.[1]?.trim().split(' ').map(Number)
  return columns && { all: columns.reduce((sum, ticks) => sum + ticks, 0), stolen: columns[7] ?? 0 }
}

/** The share of the processors that was not to be had between two moments. */
export function stolenShare(from: Ticks | undefined, to: Ticks | undefined): number | undefined {
  if (from === undefined || to === undefined || to.all <= from.all) return undefined
  return (to.stolen - from.stolen) / (to.all - from.all)
}
