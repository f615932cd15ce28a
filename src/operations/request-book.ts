import type { LoggedRequest, RequestCount } from '../domain/request.ts'
import { settings } from '../domain/setting.ts'
import type { Db } from '../storage/database.ts'
import type { Tx } from '../storage/engine.ts'
import { addCounts, insertRequests, knownPlaces } from '../storage/request-log.ts'
import { readSettings } from '../storage/setting.ts'

/** What is known of a request of `/v1` once it is answered. */
export interface Answered {
  requestId: string
  partner: string | undefined
  token: string | undefined
  method: string
  route: string | null
  /** As the path names them: there need not be such a thing. */
  facility: string | undefined
  area: string | undefined
  status: number
  durationMs: number
  /** Asked for its address only when it is written down. */
  from: { readonly remoteAddress?: string | undefined }
  /** Why it was refused. */
  code?: string | undefined
  detail?: string | undefined
}

/** Whoever floods a node with what it refuses does not fill its database. */
const refusedPerSecond = 500
/** What waits while the database cannot be written to. */
const waitingAtMost = 5000
/** Counts that are written down at once: where thousands of partners ask, all of them in each second would be most of it. */
const countsAtOnce = 1000
/** None of them waits for longer than so many others. */
const portionsAtMost = 10

type Line = Omit<LoggedRequest, 'seq'>

/**
 * Counts all requests, by minute, partner and status, and keeps some of them, to write them down once a second off their path:
 * refused ones first. All that happens with every request is to add to a count that is at hand.
 */
export class RequestBook {
  readonly #db: Db
  #lines: Line[] = []
  #counts: RequestCount[] = []
  #countByStatus = new Map<string, Map<number, RequestCount>>()
  #minute = 0
  #room = { refused: refusedPerSecond, successes: settings.request_log_successes.standard as number }
  #written: Promise<void> = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  note(request: Answered, wallMs: number): void {
    const { status, durationMs } = request
    const durationUs = Math.max(0, Math.round(durationMs * 1000))
    const count = this.#countOf(request.partner ?? '', status, wallMs)
    count.requests++
    count.durationUs += durationUs
    if (durationUs > count.slowestUs) count.slowestUs = durationUs
    const kind = status < 400 ? 'successes' : 'refused'
    if (this.#room[kind] <= 0) return
    this.#room[kind]--
    this.#lines.push(lineOf(request, wallMs, durationUs))
  }

  #countOf(partner: string, status: number, wallMs: number): RequestCount {
    const minute = Math.floor(wallMs / 60_000)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#countByStatus.clear()
    }
    const byStatus = this.#countByStatus.get(partner) ?? new Map<number, RequestCount>()
    if (byStatus.size === 0) this.#countByStatus.set(partner, byStatus)
    const known = byStatus.get(status)
    if (known !== undefined) return known
    const began = new Date(minute * 60_000).toISOString()
    const count = { minute: began, partner, status, requests: 0, durationUs: 0, slowestUs: 0 }
    byStatus.set(status, count)
    this.#counts.push(count)
    return count
  }

  /** Writes down what has gathered, or of very much a part. */
  flush(): Promise<void> {
    return this.#writeNext(() => Math.max(countsAtOnce, Math.ceil(this.#counts.length / portionsAtMost)))
  }

  flushAll(): Promise<void> {
    return this.#writeNext(() => this.#counts.length)
  }

  /** One at a time, so that whoever waits for the last one waits for all. */
  #writeNext(portion: () => number): Promise<void> {
    this.#written = this.#written.catch(() => {}).then(() => this.#write(portion()))
    return this.#written
  }

  async #write(portion: number): Promise<void> {
    const lines = this.#lines
    this.#lines = []
    const counts = this.#counts.splice(0, portion)
    for (const count of counts) this.#close(count)
    this.#room.refused = refusedPerSecond
    if (counts.length === 0) return
    try {
      const { request_log_successes } = await this.#db.write((tx) => writeDown(tx, lines, counts))
      this.#room.successes = request_log_successes
    } catch (error) {
      this.#lines = [...lines, ...this.#lines].slice(-waitingAtMost)
      this.#counts = [...counts, ...this.#counts]
      throw error
    }
  }

  /** Whoever comes later is counted anew. */
  #close(count: RequestCount): void {
    const byStatus = this.#countByStatus.get(count.partner)
    if (byStatus?.get(count.status) !== count) return
    byStatus.delete(count.status)
    if (byStatus.size === 0) this.#countByStatus.delete(count.partner)
  }
}

function lineOf(request: Answered, wallMs: number, durationUs: number): Line {
  const { partner = null, token = null, method, route, facility = null, area = null, status } = request
  return {
    at: new Date(wallMs).toISOString(),
    partner,
    token,
    method,
    route,
    facility: facility || null,
    area,
    status,
    code: request.code ?? null,
    detail: request.detail ?? null,
    durationUs,
    requestId: request.requestId,
    address: request.from.remoteAddress ?? null,
  }
}

async function writeDown(tx: Tx, lines: Line[], counts: RequestCount[]) {
  const [facilities, areas] = (await knownPlaces(
    tx,
    distinct(lines.map(({ facility }) => facility)),
    distinct(lines.map(({ area }) => area)),
  )) as [Map<string, string>, Map<string, string>]
  // A path can name anything. What there is no such facility or area of is nothing to write down.
  const known = lines.map((line): Line => {
    const area = line.area !== null && areas.has(line.area) ? line.area : null
    const facility = area === null ? facilities.get(line.facility ?? '') : areas.get(area)
    return { ...line, area, facility: facility ?? null }
  })
  insertRequests(tx, known)
  addCounts(tx, summed(counts))
  return readSettings(tx)
}

function distinct(ids: (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null)
}

/** What could not be written at first can meet what came later: one row each. */
function summed(counts: RequestCount[]): RequestCount[] {
  const sums = new Map<string, RequestCount>()
  for (const count of counts) {
    const { minute, partner, status, requests, durationUs, slowestUs } = count
    const place = `${minute} ${partner} ${status}`
    const sum = sums.get(place)
    if (sum === undefined) sums.set(place, { ...count })
    else {
      sum.requests += requests
      sum.durationUs += durationUs
      sum.slowestUs = Math.max(sum.slowestUs, slowestUs)
    }
  }
  return [...sums.values()]
}
