import { join } from 'node:path'
import { serveAtrium } from '../atrium.ts'
import { loadWithWrk } from '../driver/wrk.ts'
import type { Figure } from '../figure.ts'
import { sampleOf } from '../limits/sample.ts'
import { connections, planFor } from '../plan.ts'
import { end } from '../processes.ts'
import { askAtrium } from '../requests.ts'
import { ratiosToNeighbours } from '../statistics.ts'
import type { PlainRequest } from '../work.ts'
import { type Context, startBare } from './context.ts'
import { quietRounds } from './rounds.ts'

const processes = 2
const warmUpsOfTwo = 4
/** Enough requests to read everything that one round uses, also in a large estate. */
const secondsForLarge = 10

export async function measureWorkers(context: Context, database: string): Promise<void> {
  const { databases, estate } = context
  const one = await serveAtrium(database, join(context.folder, 'one.log'))
  const two = await serveAtrium(database, join(context.folder, 'two.log'), {
    args: ['--workers', String(processes)],
  })
  const asking = askAtrium(estate, databases.made.tokens)
  for (const work of ['R2', 'R3'] as const) {
    const requests = (await planFor(work, estate, { url: one.url, asking }).next(connections))?.requests ?? []
    const warmUpSeconds = estate.scale > 1 ? secondsForLarge : context.timing.warmUpSeconds
    const atrium = await compare(context, { one: one.url, two: two.url, requests, warmUpSeconds })
    context.add(figure(context, `workers ${work}`, 'one process', atrium))
    await compareBare(context, work, one.url, requests)
  }
  await end(two.child)
  await end(one.child)
}

/** Measures how far two processes can scale on this machine. */
async function compareBare(context: Context, work: string, url: string, requests: PlainRequest[]): Promise<void> {
  const samples = [await sampleOf(url, requests[0] as PlainRequest)]
  const one = await startBare(context.folder, samples)
  const two = await startBare(context.folder, samples, processes)
  const { warmUpSeconds } = context.timing
  const bare = await compare(context, { one: one.url, two: two.url, requests, warmUpSeconds })
  context.add(figure(context, `bare workers ${work}`, 'one bare process', bare))
  await two.stop()
  await one.stop()
}

interface Comparison {
  one: string
  two: string
  requests: PlainRequest[]
  warmUpSeconds: number
}

interface Compared {
  measured: number[]
  limits: number[]
  repeated: number
}

async function compare({ folder, timing }: Context, comparison: Comparison): Promise<Compared> {
  const { one, two, requests, warmUpSeconds } = comparison
  const { seconds } = timing
  const load = (url: string, duration: number) => {
    return loadWithWrk({ url, requests, connections, seconds: duration, folder })
  }
  await load(one, warmUpSeconds)
  // Each process warms up separately, with its share of the requests.
  for (let time = 0; time < warmUpsOfTwo; time++) await load(two, warmUpSeconds)
  const { rounds, repeated } = await quietRounds(timing, async () => ({
    limit: await load(one, seconds),
    measured: await load(two, seconds),
  }))
  const limits = [...rounds.map(({ limit }) => limit), await load(one, seconds)]
  return { measured: rounds.map(({ measured }) => measured), limits, repeated }
}

function figure(context: Context, name: string, limit: string, { measured, limits, repeated }: Compared): Figure {
  const { databases, estate } = context
  return {
    name,
    engine: databases.engine,
    scale: estate.scale,
    unit: 'answers/s',
    measured,
    limit,
    limits,
    ratios: ratiosToNeighbours(measured, limits),
    details: { repeated },
  }
}
