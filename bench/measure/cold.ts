import { join } from 'node:path'
import { serveAtrium } from '../atrium.ts'
import { loadServer } from '../drive.ts'
import type { Figure } from '../figure.ts'
import type { LoadResult } from '../job.ts'
import { runEngineLimit } from '../limits/engine.ts'
import { connections, facilityPlaces } from '../plan.ts'
import { end } from '../processes.ts'
import { askAtrium } from '../requests.ts'
import { ratiosToNeighbours } from '../statistics.ts'
import type { PlainRequest } from '../work.ts'
import type { Context, Ground } from './context.ts'
import { inTurn, type Rounds } from './rounds.ts'
import { heldAgainst } from './scale.ts'

/** The first requests warm up the JIT of a new server; the others read facilities that are not cached. */
const maxWarmUp = 320
const maxMeasured = 3200

/** Compares a large estate with a small one, round by round. */
export async function measureCold(side: Ground, small?: Ground): Promise<void> {
  const sides = small ? [side, small] : [side]
  const measured = await inTurn(sides, side.context.timing, async (one) => ({
    limit: await coldLimit(one.context),
    server: await coldRound(one),
  }))
  const figures: Figure[] = []
  for (const [at, { context }] of sides.entries()) {
    figures.push(figureOf(context, measured[at] as Rounds<Cold>, await coldLimit(context)))
  }
  const [own, ...smaller] = figures
  for (const figure of [own as Figure, ...heldAgainst([own as Figure], smaller)]) side.context.add(figure)
}

interface Cold {
  limit: number
  server: LoadResult
}

function coldLimit(context: Context): Promise<number> {
  return runEngineLimit(context, 'COLD', context.timing.seconds)
}

async function coldRound({ context, database }: Ground): Promise<LoadResult> {
  const { estate, databases, folder } = context
  const { requestFor } = askAtrium(estate, databases.made.tokens)
  const requests = facilityPlaces(estate).map((place) => requestFor('COLD', place) as PlainRequest)
  const warmUp = Math.min(maxWarmUp, Math.floor(requests.length / 3))
  const serving = await serveAtrium(database, join(folder, 'cold.log'))
  const load = (part: PlainRequest[]) => {
    return loadServer({ url: serving.url, connections, requests: part, until: 'once', status: 200 })
  }
  await load(requests.slice(0, warmUp))
  const measured = await load(requests.slice(warmUp, warmUp + maxMeasured))
  await end(serving.child)
  return measured
}

function figureOf({ estate, databases }: Context, { rounds, repeated }: Rounds<Cold>, lastLimit: number): Figure {
  const measured = rounds.map(({ server }) => server.rate)
  const limits = [...rounds.map(({ limit }) => limit), lastLimit]
  return {
    name: 'COLD',
    engine: databases.engine,
    scale: estate.scale,
    unit: 'answers/s',
    measured,
    limit: databases.engine === 'sqlite' ? 'node:sqlite' : 'pgbench',
    limits,
    ratios: ratiosToNeighbours(measured, limits),
    details: { server: rounds.map(({ server }) => server), repeated },
  }
}
