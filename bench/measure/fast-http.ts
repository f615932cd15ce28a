import type { Figure } from '../figure.ts'
import { measureSides } from './back-to-back.ts'
import type { Context } from './context.ts'
import { roundByRound } from './scale.ts'
import { serve } from './serve.ts'

const compared = ['R1', 'R2', 'R3', 'R4', 'R5', 'W1', 'W2', 'MIX'] as const

/** Measures the gain of the fast path: two servers, with and without it, alternate on databases of their own. */
export async function measureFastHttp(context: Context): Promise<void> {
  const { databases } = context
  const on = await serve({ context, database: await databases.copy('fast_on') }, { ATRIUM_FAST_HTTP: 'on' })
  const off = await serve({ context, database: await databases.copy('fast_off') }, { ATRIUM_FAST_HTTP: 'off' })
  for (const work of compared) {
    context.say(`${work} with ATRIUM_FAST_HTTP on and off`)
    const [having = [], lacking = []] = await measureSides([on, off], work)
    for (const figure of besideOn(having, lacking)) context.add(figure)
  }
  await off.stop()
  await on.stop()
}

/** Divides the ratios without the fast path by those with it. */
export function besideOn(on: Figure[], off: Figure[]): Figure[] {
  return off.flatMap((figure) => {
    const { name, engine, scale, limit, measured } = figure
    const other = on.find((one) => one.limit === limit)
    const ratios = roundByRound(figure, other)
    if (limit !== 'bare node:http' || ratios === undefined) return []
    const details = { rates: { on: other?.measured, off: measured } }
    return { name: `${name} off`, engine, scale, ...ratios, limit: `on, to ${limit}`, details }
  })
}
