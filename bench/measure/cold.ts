import { join } from 'node:path'
import { serveAtrium } from '../atrium.ts'
import { loadServer } from '../drive.ts'
import type { LoadResult } from '../job.ts'
import { runEngineLimit } from '../limits/engine.ts'
import { connections, facilityPlaces } from '../plan.ts'
import { end } from '../processes.ts'
import { askAtrium } from '../requests.ts'
import { ratiosToNeighbours } from '../statistics.ts'
import { ratioTarget } from '../targets.ts'
import type { PlainRequest } from '../work.ts'
import type { Context } from './context.ts'

/** A fresh server learns its way on the first of these; the others it has never read. */
const warmUpAtMost = 320
const measuredAtMost = 3200

export async function measureCold(context: Context, database: string): Promise<void> {
  const { estate, databases, timing } = context
  const { requestFor } = askAtrium(estate, databases.made.tokens)
  const requests = facilityPlaces(estate).map((place) => requestFor('COLD', place) as PlainRequest)
  const warmUp = Math.min(warmUpAtMost, Math.floor(requests.length / 3))
  const limits = [await runEngineLimit(context, 'COLD', timing.seconds)]
  const rounds: LoadResult[] = []
  for (let round = 0; round < timing.rounds; round++) {
    const serving = await serveAtrium(database, join(context.folder, 'cold.log'))
    const load = (part: PlainRequest[]) => {
      return loadServer({ url: serving.url, connections, requests: part, until: 'once', status: 200 })
    }
    await load(requests.slice(0, warmUp))
    rounds.push(await load(requests.slice(warmUp, warmUp + measuredAtMost)))
    await end(serving.child)
    limits.push(await runEngineLimit(context, 'COLD', timing.seconds))
  }
  const measured = rounds.map(({ rate }) => rate)
  const target = ratioTarget('COLD', 'engine', databases.engine)
  context.add({
    name: 'COLD',
    engine: databases.engine,
    scale: estate.scale,
    unit: 'answers/s',
    measured,
    limit: databases.engine === 'sqlite' ? 'node:sqlite' : 'pgbench',
    limits,
    ratios: ratiosToNeighbours(measured, limits),
    ...(target && { target }),
    details: { server: rounds },
  })
}
