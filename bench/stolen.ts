import { readFileSync } from 'node:fs'

/** Total CPU time since boot in clock ticks, and the part of it that is steal time. */
export interface Ticks {
  all: number
  stolen: number
}

/** Returns undefined where the system does not report it. */
export function ticksNow(file = '/proc/stat'): Ticks | undefined {
  try {
    return ticksIn(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Fields: user, nice, system, idle, iowait, irq, softirq, steal; later ones are included in the first two. */
export function ticksIn(text: string): Ticks | undefined {
  const columns = /^cpu +((?:\d+ ?){8})/.exec(text)?.[1]?.trim().split(' ').map(Number)
  return columns && { all: columns.reduce((sum, ticks) => sum + ticks, 0), stolen: columns[7] ?? 0 }
}

/** Returns the share of steal time between two readings. */
export function stolenShare(from: Ticks | undefined, to: Ticks | undefined): number | undefined {
  if (from === undefined || to === undefined || to.all <= from.all) return undefined
  return (to.stolen - from.stolen) / (to.all - from.all)
}
