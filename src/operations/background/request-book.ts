import { withoutSecrets } from '../../domain/access/token.ts'
import { type LoggedRequest, namesUnknownFacility, type RefusalCount, type RequestCount } from '../../domain/request.ts'
import { settings } from '../../domain/setting.ts'
import { printable } from '../../domain/text.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { addCounts, addRefusals, inOrder, insertRequests, knownPlaces } from '../../storage/request-log.ts'
import { readSettings } from '../../storage/setting.ts'
import { RefusalTallies } from './refusal-tallies.ts'
import { RequestTallies } from './request-tallies.ts'

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
/** Counts that are written down in a second: where thousands of partners ask, all of them in each would be most of it. */
const countsPerSecond = 1000
/** None of them waits for longer than so many others. */
const portionsAtMost = 10
/** Of each kind in one transaction: others are answered before the next. */
const piece = { lines: 50, counts: 250 }

type Line = Omit<LoggedRequest, 'seq'>

interface Piece {
  lines: Line[]
  counts: RequestCount[]
  refusals: RefusalCount[]
}

/**
 * Counts all requests, by minute, partner and status, and keeps some of them, to write them down once a second off their path:
 * refused ones first. All that happens with every request is to add to a tally that is at hand.
 */
export class RequestBook {
  readonly #db: Db
  #lines: Line[] = []
  readonly #tallies = new RequestTallies()
  readonly #refusals = new RefusalTallies()
  #room = { refused: refusedPerSecond, successes: settings.request_log_successes.standard as number }
  #written: Promise<void> = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  note(request: Answered, wallMs: number): void {
    const { status, durationMs } = request
    const durationUs = Math.max(0, Math.round(durationMs * 1000))
    const minute = Math.floor(wallMs / 60_000)
    this.#tallies.add(request.partner ?? '', status, minute, durationUs)
    if (request.code !== undefined) this.#refusals.add(request.partner ?? '', request.code, minute)
    const kind = status < 400 ? 'successes' : 'refused'
    if (this.#room[kind] <= 0) return
    this.#room[kind]--
    this.#lines.push(lineOf(request, wallMs, durationUs))
  }

  /** Writes down what has gathered, or of very much a part. */
  flush(): Promise<void> {
    return this.#writeNext(() => Math.max(countsPerSecond, Math.ceil(this.#tallies.waiting / portionsAtMost)))
  }

  flushAll(): Promise<void> {
    return this.#writeNext(() => Math.max(this.#tallies.waiting, this.#refusals.waiting))
  }

  /** One at a time, so that whoever waits for the last one waits for all. */
  #writeNext(portion: () => number): Promise<void> {
    this.#written = this.#written.catch(() => {}).then(() => this.#write(portion()))
    return this.#written
  }

  async #write(portion: number): Promise<void> {
    const lines = this.#lines
    this.#lines = []
    const counts = inOrder(this.#tallies.take(portion))
    const refusals = this.#refusals.take(portion)
    this.#room.refused = refusedPerSecond
    let { successes } = this.#room
    try {
      while (counts.length > 0 || lines.length > 0 || refusals.length > 0) {
        const some = {
          lines: lines.slice(0, piece.lines),
          counts: counts.slice(0, piece.counts),
          refusals: refusals.slice(0, piece.counts),
        }
        successes = await this.#db.write((tx) => writeDown(tx, some), { durability: 'relaxed' })
        lines.splice(0, some.lines.length)
        counts.splice(0, some.counts.length)
        refusals.splice(0, some.refusals.length)
      }
      this.#room.successes = successes
    } catch (error) {
      this.#lines = [...lines, ...this.#lines].slice(-waitingAtMost)
      this.#tallies.giveBack(counts)
      this.#refusals.giveBack(refusals)
      throw error
    }
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
    facility: facility === null || facility === '' ? null : inLog(facility),
    area: area === null ? null : inLog(area),
    status,
    code: request.code ?? null,
    detail: request.detail ?? null,
    durationUs,
    requestId: request.requestId,
    address: request.from.remoteAddress ?? null,
  }
}

/** A full id has 129 characters at most. */
const idLength = 129

/** An id as the path names it: bounded, of characters that can be stored and shown, and no token that stands there by mistake. */
function inLog(id: string): string {
  const safe = withoutSecrets(id)
  const short = safe.length > idLength ? `${safe.slice(0, idLength)}…` : safe
  return printable(short.toWellFormed())
}

/** Answers how many of the successes are to be kept in a second. */
async function writeDown(tx: Tx, { lines, counts, refusals }: Piece): Promise<number> {
  const [facilities, areas] = (await knownPlaces(
    tx,
    distinct(lines.map(({ facility }) => facility)),
    distinct(lines.map(({ area }) => area)),
  )) as [Map<string, string>, Map<string, string>]
  // A path can name anything. What there is no such facility or area of is written down only where that was the reason of
  // the refusal: the operator has to see that the id is wrong, and not the grants.
  const known = lines.map((line): Line => {
    const isKnown = line.area !== null && areas.has(line.area)
    const area = isKnown || line.code === 'area_not_found' ? line.area : null
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
