import { type DelayedProxy, startDelayedProxy } from '../delayed-proxy.ts'
import { loadServer } from '../drive.ts'
import { engineWork } from '../limits/engine.ts'
import { runPgbench } from '../limits/pgbench.ts'
import { connections, type Plan, planFor } from '../plan.ts'
import { atTheEnd } from '../processes.ts'
import { ratiosToNeighbours } from '../statistics.ts'
import type { Side } from './back-to-back.ts'
import type { Context } from './context.ts'
import { quietRounds } from './rounds.ts'
import { serve } from './serve.ts'

const delayMs = 5
/** pgbench counts completed transactions, and each client first prepares every statement over the slow connection. */
const minReferenceSeconds = 3
const distantWorks = ['W1', 'W2', 'W5'] as const
type DistantWork = (typeof distantWorks)[number]

/** Measures writes to PostgreSQL over a round trip of 10 ms. */
export async function measureDistant(context: Context): Promise<void> {
  const [served, raw] = [await context.databases.copy('distant'), await context.databases.copy('distant_raw')]
  const { hostname: host, port } = new URL(served)
  const proxy = await startDelayedProxy({ host, port: Number(port) }, delayMs)
  atTheEnd(proxy.stop)
  const side = await serve({ context, database: through(proxy, served) })
  for (const work of distantWorks) await measureWork(side, work, through(proxy, raw))
  await side.stop()
}

function through({ port }: DelayedProxy, database: string): string {
  return Object.assign(new URL(database), { hostname: '127.0.0.1', port: String(port) }).href
}

async function measureWork({ context, subject }: Side, work: DistantWork, raw: string): Promise<void> {
  const { estate, timing, databases } = context
  const plan = planFor(work, estate, subject)
  const limit = () => runPgbench(context, raw, engineWork(work), Math.max(timing.seconds, minReferenceSeconds))
  const load = async (clients: number) => loadSome(subject.url, plan, clients, timing.seconds)
  context.say(`${work} on a PostgreSQL ${2 * delayMs} ms away`)
  await load(connections)
  const { rounds, repeated } = await quietRounds(timing, async () => ({
    limit: await limit(),
    many: await load(connections),
    alone: await load(1),
  }))
  const measured = rounds.map(({ many }) => many.rate)
  const limits = [...rounds.map((round) => round.limit), await limit()]
  const about = { name: `${work} distant`, engine: databases.engine, scale: estate.scale }
  const ratios = ratiosToNeighbours(measured, limits)
  context.add({
    ...about,
    unit: 'answers/s',
    measured,
    limit: 'pgbench',
    limits,
    ratios,
    details: { rounds, repeated },
  })
  context.add({
    ...about,
    name: `${about.name}, one client`,
    unit: 'ms',
    measured: rounds.map(({ alone }) => alone.p50),
  })
}

/** A connection gets at most one response per round trip. */
async function loadSome(url: string, { next, used, status }: Plan, clients: number, seconds: number) {
  const batch = await next(Math.ceil((clients * seconds * 1000) / (2 * delayMs)))
  const requests = batch?.requests ?? []
  const result = await loadServer({ url, connections: clients, requests, until: { seconds }, status })
  used(requests.length)
  return result
}
