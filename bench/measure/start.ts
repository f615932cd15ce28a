import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveAtrium } from '../atrium.ts'
import type { Figure } from '../figure.ts'
import { end, residentMegabytes } from '../processes.ts'
import { amountTarget } from '../targets.ts'
import type { Context } from './context.ts'

const starts = 5
const restSeconds = 1

export interface Wanted {
  start: boolean
  memory: boolean
}

/** Measures the time from process start to the ready line, and the idle memory afterwards. */
export async function measureStart(context: Context, database: string, wanted: Wanted): Promise<void> {
  const seconds: number[] = []
  const rest: number[] = []
  for (let round = 0; round < (wanted.start ? starts : 1); round++) {
    const serving = await serveAtrium(database, join(context.folder, 'start.log'))
    seconds.push(serving.startSeconds)
    if (rest.length < context.timing.rounds) {
      await sleep(restSeconds * 1000)
      rest.push(residentMegabytes(serving.pid) ?? Number.NaN)
    }
    await end(serving.child)
  }
  if (wanted.start) context.add(amount(context, 'start', 's', seconds))
  if (wanted.memory) {
    context.add(amount(context, 'rest', 'MB', rest))
    context.add(amount(context, 'disk', 'MB', [await context.databases.megabytes()]))
  }
}

export function amount({ estate, databases }: Context, name: string, unit: 's' | 'MB', measured: number[]): Figure {
  const target = amountTarget(name, estate.scale)
  return { name, engine: databases.engine, scale: estate.scale, unit, measured, ...(target && { target }) }
}
