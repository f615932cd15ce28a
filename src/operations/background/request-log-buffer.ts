import type { RoomOperation } from '../../domain/access/grant.ts'
import { withoutSecrets } from '../../domain/access/token.ts'
import { namesUnknownArea, namesUnknownFacility, type RequestCount } from '../../domain/request.ts'
import { settings } from '../../domain/setting.ts'
import { printable } from '../../domain/text.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import {
  addCounts,
  addRefusals,
  existingIds,
  inOrder,
  insertRequests,
  type NewRequest,
} from '../../storage/request-log.ts'
import { readSettings } from '../../storage/setting.ts'
import { RequestCounters } from './request-counters.ts'

/** A request to `/v1` whose response was sent. */
export interface CompletedRequest {
  requestId: string
  partner: string | undefined
  token: string | undefined
  method: string
  route: string | null
  /** The id in the path, even if there is no such facility. Likewise, `area` is the full id in the path. */
  facility: string | undefined
  area: string | undefined
  status: number
  durationMs: number
  /** The connection; its address is read only for requests that are logged, because that can be a system call. */
  from: { readonly remoteAddress?: string | undefined }
  /** The code of the refusal, if the request was refused; for a bulk call, that of the first failed operation. */
  code?: string | undefined
  detail?: string | undefined
  /** The operations of a bulk call that need a grant. */
  roomsNeeded?: readonly RoomOperation[] | undefined
}

/** How many refused requests are logged line by line per second, so that a flood of them cannot fill the database. */
const maxRefusedPerSecond = 500
/** The maximum number of lines that wait while the database cannot be written to. Beyond it, the oldest are dropped. */
const maxBufferedLines = 5000
/**
 * How many counters a flush (once a second) writes, unless `maxFlushesPerCounter` requires more. With thousands of
 * active partners, writing all counters each second would be most of the database's work.
 */
const countersPerFlush = 1000
/** The maximum number of flushes until a waiting counter is written, however many are waiting. */
const maxFlushesPerCounter = 10
/** The maximum number of rows of each kind per transaction, so that requests can run between two transactions. */
const batchSize = { lines: 50, counts: 250 }

interface Batch {
  lines: NewRequest[]
  counts: RequestCount<number>[]
  refusals: RequestCount<string>[]
}

/**
 * Every request is counted, by minute, partner and status; a limited number per second is also logged line by line,
 * with separate limits for refused and successful requests. Both are flushed once a second, in
 * a transaction that does not wait for the disk: a crash loses at most the last second. Noting a request costs only a few additions.
 */
export class RequestLogBuffer {
  readonly #db: Db
  #lines: NewRequest[] = []
  readonly #counters = new RequestCounters<number>()
  readonly #refusals = new RequestCounters<string>()
  /** How many more refused and successful requests may be logged line by line before the next flush. */
  #budget = { refused: maxRefusedPerSecond, successes: settings.request_log_successes.default as number }
  #written: Promise<void> = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  note(request: CompletedRequest, wallMs: number): void {
    const { status, durationMs } = request
    const durationUs = Math.max(0, Math.round(durationMs * 1000))
    const minute = Math.floor(wallMs / 60_000)
    this.#counters.add(request.partner ?? '', status, minute, durationUs)
    if (request.code !== undefined && status >= 400) this.#refusals.add(request.partner ?? '', request.code, minute)
    const kind = status < 400 ? 'successes' : 'refused'
    if (this.#budget[kind] <= 0) return
    this.#budget[kind]--
    this.#lines.push(lineOf(request, wallMs, durationUs))
  }

  flush(): Promise<void> {
    return this.#writeNext(() => Math.max(countersPerFlush, Math.ceil(this.#counters.waiting / maxFlushesPerCounter)))
  }

  flushAll(): Promise<void> {
    return this.#writeNext(() => Math.max(this.#counters.waiting, this.#refusals.waiting))
  }

  /** Writes after all earlier flushes, so that a caller that awaits this flush awaits them all. */
  #writeNext(maxCounters: () => number): Promise<void> {
    this.#written = this.#written.catch(() => {}).then(() => this.#write(maxCounters()))
    return this.#written
  }

  async #write(maxCounters: number): Promise<void> {
    const lines = this.#lines
    this.#lines = []
    const counts = inOrder(this.#counters.take(maxCounters))
    const refusals = inOrder(this.#refusals.take(maxCounters))
    this.#budget.refused = maxRefusedPerSecond
    let { successes } = this.#budget
    try {
      while (counts.length > 0 || lines.length > 0 || refusals.length > 0) {
        const some = {
          lines: lines.slice(0, batchSize.lines),
          counts: counts.slice(0, batchSize.counts),
          refusals: refusals.slice(0, batchSize.counts),
        }
        successes = await this.#db.write((tx) => writeBatch(tx, some), { durability: 'relaxed' })
        lines.splice(0, some.lines.length)
        counts.splice(0, some.counts.length)
        refusals.splice(0, some.refusals.length)
      }
      this.#budget.successes = successes
    } catch (error) {
      this.#lines = [...lines, ...this.#lines].slice(-maxBufferedLines)
      this.#counters.putBack(counts)
      this.#refusals.putBack(refusals)
      throw error
    }
  }
}

function lineOf(request: CompletedRequest, wallMs: number, durationUs: number): NewRequest {
  const { partner = null, token = null, method, route, facility = null, area = null, status } = request
  return {
    at: new Date(wallMs).toISOString(),
    partner,
    token,
    method,
    route,
    facility: facility === null || facility === '' ? null : inLog(facility),
    area: area === null ? null : inLog(area),
    status,
    code: request.code ?? null,
    detail: request.detail ?? null,
    durationUs,
    requestId: request.requestId,
    address: request.from.remoteAddress ?? null,
    roomsNeeded: request.roomsNeeded?.join(' ') ?? null,
  }
}

/** The maximum length of the full id of a room, in characters. */
const maxIdLength = 129

/** Makes an id from a path safe to store and show, without a token that a client sent in place of it by mistake. */
function inLog(id: string): string {
  const safe = withoutSecrets(id)
  const short = safe.length > maxIdLength ? `${safe.slice(0, maxIdLength)}…` : safe
  return printable(short.toWellFormed())
}

/** Writes a batch. Returns the present setting of how many successful requests are logged per second. */
async function writeBatch(tx: Tx, { lines, counts, refusals }: Batch): Promise<number> {
  const [facilities, areas] = (await existingIds(
    tx,
    distinct(lines.map(({ facility }) => facility)),
    distinct(lines.map(({ area }) => area)),
  )) as [Map<string, string>, Map<string, string>]
  // A path can contain any text, so unknown ids are left out, except one that was refused as unknown: the operator must
  // see that the request failed by a wrong id and not by missing grants.
  const known = lines.map((line): NewRequest => {
    const isKnown = line.area !== null && areas.has(line.area)
    const area = isKnown || namesUnknownArea(line) ? line.area : null
    const asked = namesUnknownFacility(line) ? line.facility : null
    const facility = isKnown ? areas.get(line.area ?? '') : (facilities.get(line.facility ?? '') ?? asked)
    return { ...line, area, facility: facility ?? null }
  })
  insertRequests(tx, known)
  addCounts(tx, counts)
  addRefusals(tx, refusals)
  return (await readSettings(tx)).request_log_successes
}

function distinct(ids: (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null)
}
