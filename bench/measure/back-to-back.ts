import { loadServer } from '../drive.ts'
import type { Figure } from '../figure.ts'
import { runEngineLimit } from '../limits/engine.ts'
import { type Sample, sampleOf } from '../limits/sample.ts'
import { type Batch, connections, type Plan, planFor, type Target } from '../plan.ts'
import { processorSeconds } from '../processes.ts'
import { ratiosToNeighbours } from '../statistics.ts'
import { ratioTarget } from '../targets.ts'
import type { LoadWork, PlainRequest, Way } from '../work.ts'
import { type BareServer, type Context, startBare } from './context.ts'
import { inTurn } from './rounds.ts'
import { heldAgainst } from './scale.ts'

/** A measured server: Atrium or a peer. */
export interface Subject extends Target {
  pid: number
  peer?: string
  /** Variant of how requests reach it, if not the default. */
  way?: Way
}

interface Measured {
  rate: number
  p50: number
  p99: number
  microsecondsPerAnswer: number
}

/** A measured server with its estate. */
export interface Side {
  context: Context
  subject: Subject
}

/** Compares a large estate with the same work on a small one, round by round. */
export async function measureWork(side: Side, work: LoadWork, small?: Side): Promise<void> {
  const [figures = [], smaller = []] = await measureSides(small ? [side, small] : [side], work)
  for (const figure of [...figures, ...heldAgainst(figures, smaller)]) side.context.add(figure)
}

/** Returns the results of each, measured alternately. */
export async function measureSides(sides: Side[], work: LoadWork): Promise<Figure[][]> {
  const planned = []
  for (const one of sides) {
    await readAllOnce(one.context, one.subject, work)
    planned.push({ ...one, plan: planFor(work, one.context.estate, one.subject) })
  }
  return measurePlans(planned, work)
}

/** Warms the cache: a small estate is read completely within moments, a large one is read once before measuring. */
export async function readAllOnce({ estate }: Context, subject: Subject, work: LoadWork): Promise<void> {
  const read = work === 'MIX' ? 'R2' : work
  // The plan of R5 reads everything itself, to get the ETags.
  if (estate.scale <= 1 || read === 'R5' || read.startsWith('W')) return
  const plan = planFor(read, estate, subject)
  const batch = await plan.next(estate.facilities)
  if (batch !== undefined) await load(subject, { ...batch, once: true }, plan.status, 0)
}

const warmFacilities = 1000

/** Limits a large estate to the number of facilities that are cached after the first round. */
export async function measureWarm({ context, subject }: Side): Promise<void> {
  const estate = { ...context.estate, facilities: warmFacilities }
  const [figures = []] = await measurePlans([{ context, subject, plan: planFor('R2', estate, subject) }], 'R2')
  for (const figure of figures) context.add({ ...figure, name: 'R2 warm' })
}

interface Planned extends Side {
  plan: Plan
}

interface Running extends Planned {
  bare: BareServer
  batch: Batch
  rate: number
  /** References have one measurement more than the server. */
  limits: Limits[]
  server: Measured[]
  repeated: number
}

interface Limits {
  bare: Measured
  engine?: number
}

/** Returns the results of all, or the reason when one of them cannot do the work. */
async function measurePlans(planned: Planned[], work: LoadWork): Promise<Figure[][]> {
  const running: Running[] = []
  try {
    for (const one of planned) {
      const ready = await makeReady(one)
      if (ready === undefined) return [[{ ...frame(one.context, one.subject, work), ...cannot }]]
      running.push(ready)
    }
    await alternate(running, work)
  } finally {
    for (const { bare } of running) await bare.stop()
  }
  return running.map((one) => figuresOf(one, work))
}

const cannot = { skipped: 'it cannot do this', measured: [] }

async function makeReady(one: Planned): Promise<Running | undefined> {
  const { context, subject, plan } = one
  const first = await plan.next(connections)
  if (first === undefined) return undefined
  const samples = await samplesOf(subject.url, first)
  plan.used(connections)
  const bare = { ...(await startBare(context.folder, samples)), ...(subject.way && { way: subject.way }) }
  return { ...one, bare, batch: first, rate: 0, limits: [], server: [], repeated: 0 }
}

/** Alternates reference and server, so that each round of the server is between two of the reference. */
async function alternate(running: Running[], work: LoadWork): Promise<void> {
  for (const one of running) await warmUp(one)
  const { timing } = (running[0] as Running).context
  const measured = await inTurn(running, timing, (one) => roundOf(one, work))
  for (const [at, { rounds, repeated }] of measured.entries()) {
    const one = running[at] as Running
    one.repeated = repeated
    one.server = rounds.map(({ server }) => server)
    one.limits = [...rounds.map(({ limits }) => limits), await limitsOf(one, work)]
  }
}

async function roundOf(one: Running, work: LoadWork) {
  const { context, subject, plan } = one
  one.batch = (await plan.next(Math.ceil(one.rate * context.timing.seconds))) ?? one.batch
  const limits = await limitsOf(one, work)
  const server = await load(subject, one.batch, plan.status, context.timing.seconds)
  plan.used(server.responses)
  one.rate = server.rate
  return { limits, server }
}

async function limitsOf({ context, subject, plan, bare, batch }: Running, work: LoadWork): Promise<Limits> {
  const { seconds } = context.timing
  const measured = await load(bare, { ...batch, once: false }, plan.status, seconds)
  if (subject.peer !== undefined || subject.way !== undefined || !work.startsWith('W')) return { bare: measured }
  return { bare: measured, engine: await runEngineLimit(context, work, seconds) }
}

async function warmUp(one: Running): Promise<void> {
  const { context, subject, plan, bare } = one
  const { warmUpSeconds } = context.timing
  const guess = 500
  one.batch = (await plan.next(Math.ceil(guess * warmUpSeconds))) ?? one.batch
  await load(bare, { ...one.batch, once: false }, plan.status, warmUpSeconds)
  const { rate, responses } = await load(subject, one.batch, plan.status, warmUpSeconds)
  plan.used(responses)
  one.rate = rate
}

export async function load(
  server: Pick<Subject, 'url' | 'pid' | 'way'>,
  batch: Batch,
  status: Plan['status'],
  seconds: number,
) {
  const before = processorSeconds(server.pid)
  const until = batch.once ? 'once' : { seconds }
  const isSplit = server.way === 'split'
  const result = await loadServer({ url: server.url, connections, requests: batch.requests, until, status, isSplit })
  const used = processorSeconds(server.pid) - before
  return { ...result, microsecondsPerAnswer: (used * 1e6) / result.responses }
}

/** Records one response for each method that the work uses. */
async function samplesOf(url: string, { requests }: Batch): Promise<Sample[]> {
  const byMethod = new Map<string, PlainRequest>()
  for (const request of requests) if (!byMethod.has(request.method)) byMethod.set(request.method, request)
  return Promise.all([...byMethod.values()].map((request) => sampleOf(url, request)))
}

export function frame({ estate, databases }: Context, { peer, way }: Subject, work: string) {
  const { engine } = databases
  const name = way === undefined ? work : `${work} ${way}`
  return { name, engine, scale: estate.scale, unit: 'answers/s' as const, ...(peer !== undefined && { peer }) }
}

function figuresOf({ context, subject, limits, server, repeated }: Running, work: LoadWork): Figure[] {
  const measured = server.map(({ rate }) => rate)
  const { engine } = context.databases
  const named = { bare: 'bare node:http', engine: engine === 'sqlite' ? 'node:sqlite' : 'pgbench' }
  const against = (kind: 'bare' | 'engine', limits: number[], details: Figure['details']): Figure => {
    const framed = frame(context, subject, work)
    const isOwn = subject.peer === undefined && framed.scale <= 1
    const target = isOwn ? ratioTarget(framed.name, kind) : undefined
    return {
      ...framed,
      measured,
      limit: named[kind],
      limits,
      ratios: ratiosToNeighbours(measured, limits),
      ...(target && { target }),
      ...(details && { details }),
    }
  }
  const bare = limits.map((one) => one.bare)
  const engineRates = limits.map((one) => one.engine).filter((rate) => rate !== undefined)
  const bareRates = bare.map(({ rate }) => rate)
  const figures = [against('bare', bareRates, { server, bare, repeated })]
  if (engineRates.length > 0) figures.push(against('engine', engineRates, undefined))
  return figures
}
