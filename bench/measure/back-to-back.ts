import { loadServer } from '../drive.ts'
import type { Figure } from '../figure.ts'
import { runEngineLimit } from '../limits/engine.ts'
import { type Sample, sampleOf } from '../limits/sample.ts'
import { type Batch, connections, type Plan, planFor, type Target } from '../plan.ts'
import { processorSeconds } from '../processes.ts'
import { ratiosToNeighbours } from '../statistics.ts'
import { ratioTarget } from '../targets.ts'
import type { PlainRequest, Work } from '../work.ts'
import { type Context, startBare } from './context.ts'

export type LoadWork = Exclude<Work, 'COLD'>

/** A server that is measured: Atrium, or a peer. */
export interface Subject extends Target {
  pid: number
  peer?: string
}

interface Measured {
  rate: number
  p50: number
  p99: number
  microsecondsPerAnswer: number
}

/** Limit, server, limit, server, limit …: each round of the server stands between two of the limit. */
export async function measureWork(context: Context, subject: Subject, work: LoadWork): Promise<number | undefined> {
  await readAllOnce(context, subject, work)
  return measurePlan(context, subject, work, planFor(work, context.estate, subject))
}

/** A small estate has been read as a whole after the first moments; a large one is read once before it is measured. */
export async function readAllOnce({ estate }: Context, subject: Subject, work: LoadWork): Promise<void> {
  const read = work === 'MIX' ? 'R2' : work
  // The plan of R5 reads everything itself, for the tags.
  if (estate.scale <= 1 || read === 'R5' || read.startsWith('W')) return
  const plan = planFor(read, estate, subject)
  const batch = await plan.next(estate.facilities)
  if (batch !== undefined) await load(subject, { ...batch, once: true }, plan.status, 0)
}

const warmFacilities = 1000

/** One facility at a time of a large estate, but only of so many as are in memory after the first round. */
export function measureWarm(context: Context, subject: Subject): Promise<number | undefined> {
  const estate = { ...context.estate, facilities: warmFacilities }
  const named: Context = { ...context, add: (figure) => context.add({ ...figure, name: 'R2 warm' }) }
  return measurePlan(named, subject, 'R2', planFor('R2', estate, subject))
}

async function measurePlan(
  context: Context,
  subject: Subject,
  work: LoadWork,
  plan: Plan,
): Promise<number | undefined> {
  const first = await plan.next(connections)
  if (first === undefined) {
    context.add({ ...frame(context, subject, work), skipped: 'it cannot do this', measured: [] })
    return undefined
  }
  const samples = await samplesOf(subject.url, first)
  plan.used(connections)
  const bare = await startBare(context.folder, samples)
  try {
    const rounds = await alternate(context, subject, plan, bare, work)
    for (const figure of figuresOf(context, subject, work, rounds)) context.add(figure)
    return rounds.server.at(-1)?.rate
  } finally {
    await bare.stop()
  }
}

interface Rounds {
  bare: Measured[]
  engine: number[]
  server: Measured[]
}

async function alternate(
  context: Context,
  subject: Subject,
  plan: Plan,
  bare: { url: string; pid: number },
  work: LoadWork,
): Promise<Rounds> {
  const { rounds: count, seconds, warmUpSeconds } = context.timing
  const rounds: Rounds = { bare: [], engine: [], server: [] }
  const withEngine = subject.peer === undefined && work.startsWith('W')
  const ready = await warmUp(plan, subject, bare, warmUpSeconds)
  let batch = ready.batch
  const limits = async () => {
    rounds.bare.push(await load(bare, { ...batch, once: false }, plan.status, seconds))
    if (withEngine) rounds.engine.push(await runEngineLimit(context, work, seconds))
  }
  for (let round = 0; round < count; round++) {
    const rate = rounds.server.at(-1)?.rate ?? ready.rate
    batch = (await plan.next(Math.ceil(rate * seconds))) ?? batch
    await limits()
    const measured = await load(subject, batch, plan.status, seconds)
    plan.used(measured.answers)
    rounds.server.push(measured)
  }
  await limits()
  return rounds
}

async function warmUp(plan: Plan, subject: Subject, bare: { url: string; pid: number }, seconds: number) {
  const guess = 500
  const batch = (await plan.next(Math.ceil(guess * seconds))) as Batch
  await load(bare, { ...batch, once: false }, plan.status, seconds)
  const { rate, answers } = await load(subject, batch, plan.status, seconds)
  plan.used(answers)
  return { batch, rate }
}

export async function load(
  server: { url: string; pid: number },
  batch: Batch,
  status: Plan['status'],
  seconds: number,
) {
  const before = processorSeconds(server.pid)
  const until = batch.once ? 'once' : { seconds }
  const result = await loadServer({ url: server.url, connections, requests: batch.requests, until, status })
  const used = processorSeconds(server.pid) - before
  return { ...result, microsecondsPerAnswer: (used * 1e6) / result.answers }
}

/** One answer for each method that the work uses. */
async function samplesOf(url: string, { requests }: Batch): Promise<Sample[]> {
  const byMethod = new Map<string, PlainRequest>()
  for (const request of requests) if (!byMethod.has(request.method)) byMethod.set(request.method, request)
  return Promise.all([...byMethod.values()].map((request) => sampleOf(url, request)))
}

function frame({ estate, databases }: Context, { peer }: Subject, name: string) {
  const { engine } = databases
  return { name, engine, scale: estate.scale, unit: 'answers/s' as const, ...(peer !== undefined && { peer }) }
}

function figuresOf(context: Context, subject: Subject, work: LoadWork, rounds: Rounds): Figure[] {
  const measured = rounds.server.map(({ rate }) => rate)
  const { engine } = context.databases
  const named = { bare: 'bare node:http', engine: engine === 'sqlite' ? 'node:sqlite' : 'pgbench' }
  const against = (kind: 'bare' | 'engine', limits: number[], details: Figure['details']): Figure => {
    const target = subject.peer === undefined ? ratioTarget(work, kind, engine) : undefined
    return {
      ...frame(context, subject, work),
      measured,
      limit: named[kind],
      limits,
      ratios: ratiosToNeighbours(measured, limits),
      ...(target && { target }),
      ...(details && { details }),
    }
  }
  const bareRates = rounds.bare.map(({ rate }) => rate)
  const figures = [against('bare', bareRates, { server: rounds.server, bare: rounds.bare })]
  if (rounds.engine.length > 0) figures.push(against('engine', rounds.engine, undefined))
  return figures
}
