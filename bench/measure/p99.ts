import { Agent, request } from 'node:http'
import { loadServer } from '../drive.ts'
import type { BenchEstate } from '../estate/shape.ts'
import { sampleOf } from '../limits/sample.ts'
import { connections, planFor } from '../plan.ts'
import type { PlainRequest } from '../work.ts'
import type { Subject } from './back-to-back.ts'
import { type Context, startBare, type Timing } from './context.ts'
import { quietRounds } from './rounds.ts'

const listEntries = 10_000
const everyMs = 1000
/** Warm-up requests, as in all other measurements. */
const listsBefore = 10

/**
 * Measures R2 at half its maximum rate, while another client replaces a long list every second. For comparison: node:http
 * at half its own rate, and R2 without replacements, which show the latency caused by the machine.
 */
export async function measureP99(context: Context, subject: Subject, token: string): Promise<void> {
  const { estate, databases, timing, quick } = context
  const plan = planFor('R2', estate, subject)
  const batch = await plan.next(connections)
  if (batch === undefined) return
  const { requests } = batch
  const bare = await startBare(context.folder, [await sampleOf(subject.url, requests[0] as PlainRequest)])
  const replacer = new Replacer(subject.url, estate, token)
  for (let list = 0; list < listsBefore; list++) await replacer.next()
  const { rounds: all, repeated } = await quietRounds(quick ? halfOf(timing) : timing, async () => ({
    limit: await paced(bare.url, requests, timing, () => undefined),
    alone: await paced(subject.url, requests, timing, () => undefined),
    beside: await paced(subject.url, requests, timing, () => replacer.everySecond()),
  }))
  replacer.close()
  await bare.stop()
  const rounds = all.map(({ beside }) => beside)
  const limits = all.map(({ limit }) => limit)
  const measured = rounds.map(({ p99 }) => p99)
  const figure = { name: 'p99', engine: databases.engine, scale: estate.scale, unit: 'ms', measured } as const
  context.add({
    ...figure,
    limit: 'bare node:http, no list replaced',
    limits: limits.map(({ p99 }) => p99),
    details: { rounds, limits, repeated },
  })
  context.add({
    ...figure,
    limit: 'Atrium, no list replaced',
    limits: all.map(({ alone }) => alone.p99),
    details: { limits: all.map(({ alone }) => alone) },
  })
}

/** One round takes as long as four of other measurements. */
function halfOf(timing: Timing): Timing {
  return { ...timing, rounds: Math.ceil(timing.rounds / 2) }
}

interface Replacing {
  stop(): Promise<number>
}

async function paced(url: string, requests: PlainRequest[], { seconds }: Timing, beside: () => Replacing | undefined) {
  const job = { url, connections, requests, status: 200 as const }
  const top = await loadServer({ ...job, until: { seconds: Math.min(seconds, 2) } })
  const replacing = beside()
  const measured = await loadServer({ ...job, until: { seconds: Math.max(seconds, 5) }, rate: top.rate / 2 })
  return { topRate: top.rate, replaced: (await replacing?.stop()) ?? 0, ...measured }
}

class Replacer {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #address: string
  readonly #token: string
  readonly #lists = [listBody('a'), listBody('b')]
  #sent = 0

  /** List of the first facility, which partner 0 can access. */
  constructor(url: string, estate: BenchEstate, token: string) {
    this.#address = `${url}/v1/facilities/${estate.facility(0).idExternal}/areas_autocomplete_list`
    this.#token = token
  }

  next(): Promise<void> {
    return replace(this.#agent, this.#address, this.#token, this.#lists[this.#sent++ % 2] as Buffer)
  }

  everySecond(): Replacing {
    const before = this.#sent
    let last = this.next()
    const timer = setInterval(() => {
      last = last.then(() => this.next())
      last.catch(() => {})
    }, everyMs)
    last.catch(() => {})
    return {
      stop: async () => {
        clearInterval(timer)
        await last
        return this.#sent - before
      },
    }
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Uses a client with little CPU cost: the response is requested compressed and discarded. */
function replace(agent: Agent, address: string, token: string, body: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
    'accept-encoding': 'gzip',
  }
  const asked = request(address, { agent, method: 'PATCH', headers }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`the list was refused with ${response.statusCode}`))
    response.resume().on('end', resolve).on('error', reject)
  })
  asked.on('error', reject)
  asked.end(body)
  return promise
}

function listBody(mark: string): Buffer {
  const value = Array.from({ length: listEntries }, (_, index) => ({
    id_external: String(index + 1),
    name: `Chambre ${index + 1} ${mark}`,
  }))
  return Buffer.from(JSON.stringify({ value }))
}
