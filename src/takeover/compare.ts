import { isObject } from '../domain/json.ts'
import { type JsonDifference, jsonDifferences } from './json-difference.ts'
import { Notes } from './notes.ts'
import { getList } from './pages.ts'
import { getExtension, type Remote, type RemoteResponse } from './remote.ts'
import { RemoteFailure } from './remote-failure.ts'
import { facilityPath } from './seen-facility.ts'
import { needsTimezone, type Subject, toleratedBecause } from './tolerance.ts'

/** Two clients for the same partner: `a` with its token in one installation, `b` with its token in the other. */
interface Pair {
  a: Remote
  b: Remote
}

export interface FoundDifference {
  token: string
  path: string
  /** Names of members from the top down; empty if the responses differ as a whole. */
  field: string[]
  what: string
  /** The two values; both are omitted where they could be data about a guest. */
  a?: unknown
  b?: unknown
}

interface CompareOptions {
  /** Whether harmless differences, those that `toleratedBecause` accepts, are reported like all others. */
  strict: boolean
  /** Whether each room is also read by itself, by routes that are an extension of the specification. */
  rooms: boolean
  /** The time zone in which dates without a UTC offset are compared. If undefined, such dates count as differences. */
  timezone: string | undefined
  /** Names of fields whose differences are harmless. */
  ignore: string[]
}

interface CompareObserver {
  difference(found: FoundDifference): Promise<void>
  progress(facilities: number, total: number): void
}

export interface Comparison {
  facilities: number
  responses: number
  differences: number
  tolerated: Notes
}

const maxFailuresInRow = 3

/** Compares the responses of two installations, and holds only one pair of responses in memory at a time. */
export class Comparer {
  readonly #options: CompareOptions
  readonly #observer: CompareObserver
  readonly result: Comparison = { facilities: 0, responses: 0, differences: 0, tolerated: new Notes() }
  #failuresInRow = 0

  constructor(options: CompareOptions, observer: CompareObserver) {
    this.#options = options
    this.#observer = observer
  }

  async compare(pairs: Pair[]): Promise<Comparison> {
    for (const pair of pairs) {
      const facilities = await this.#read(pair, '/v1/facilities/', 'list')
      await this.#read(pair, '/v1/me', 'token')
      const [first, second] = (facilities ?? []).map(idsIn)
      const both = first?.filter((id) => second?.includes(id)) ?? []
      for (const [index, id] of both.entries()) {
        await this.#facility(pair, id)
        this.result.facilities++
        this.#observer.progress(index + 1, both.length)
      }
    }
    return this.result
  }

  async #facility(pair: Pair, id: string): Promise<void> {
    const path = facilityPath(id)
    await this.#read(pair, path, 'facility')
    await this.#read(pair, `${path}areas_autocomplete_list`, 'entries')
    const areas = await this.#read(pair, `${path}areas`, 'areas')
    if (!this.#options.rooms || areas === undefined) return
    const inB = new Set(idsIn(areas[1]))
    for (const area of idsIn(areas[0]).filter((one) => inB.has(one))) {
      const room = `/v1/areas/${encodeURIComponent(area)}/`
      await this.#read(pair, room, 'room')
      await this.#read(pair, `${room}data_services`, 'room')
    }
  }

  /** Returns the bodies of both responses; undefined if one is missing. */
  async #read({ a, b }: Pair, path: string, subject: Subject): Promise<[unknown, unknown] | undefined> {
    const report = (field: string[], what: string, values = {}) =>
      this.#report({ token: a.name, path, field, what, ...values })
    const [one, other] = await Promise.allSettled([get(a, path, subject), get(b, path, subject)])
    this.result.responses++
    if (one.status === 'rejected' || other.status === 'rejected') {
      await this.#failed([one, other], (what) => report([], what))
      return undefined
    }
    this.#failuresInRow = 0
    const [first, second] = [one.value, other.value]
    if (first.status !== second.status) {
      const lacksRoute = subject === 'token' ? first.status !== 200 : subject === 'room' && first.status === 404
      if (lacksRoute) this.result.tolerated.add('routes that only B has', path)
      else await report([], `status ${first.status} | ${second.status}`)
    }
    if (first.json === undefined || second.json === undefined) return undefined
    const [bodyA, bodyB] = [first.json, second.json].map((json) => (subject === 'token' ? rightsIn(json) : json))
    for (const difference of jsonDifferences(bodyA, bodyB)) {
      const why = this.#toleratedBecause(difference, subject)
      if (why !== undefined && !this.#options.strict) this.result.tolerated.add(why, path)
      else await report(difference.path, this.#whatOf(difference), shownValues(difference))
    }
    return [first.json, second.json]
  }

  #toleratedBecause(difference: JsonDifference, subject: Subject): string | undefined {
    const field = difference.path.at(-1) ?? ''
    if (this.#options.ignore.includes(field)) return `ignored: ${field}`
    return toleratedBecause(difference, subject, this.#options.timezone)
  }

  #whatOf(difference: JsonDifference): string {
    const isUnclear = this.#options.timezone === undefined && needsTimezone(difference)
    return isUnclear ? 'changed, or without an offset: --timezone names its zone' : difference.kind
  }

  async #failed(sides: PromiseSettledResult<unknown>[], report: (what: string) => Promise<void>): Promise<void> {
    for (const [index, side] of sides.entries()) {
      if (side.status === 'fulfilled') continue
      if (!(side.reason instanceof RemoteFailure) || ++this.#failuresInRow === maxFailuresInRow) throw side.reason
      await report(`${index === 0 ? 'A' : 'B'} failed: ${side.reason.message}`)
    }
  }

  async #report(found: FoundDifference): Promise<void> {
    this.result.differences++
    await this.#observer.difference(found)
  }
}

function get(remote: Remote, path: string, subject: Subject): Promise<RemoteResponse> {
  if (subject === 'token') return getExtension(remote, path)
  return subject === 'facility' || subject === 'room' ? remote.get(path) : getList(remote, path)
}

function idsIn(list: unknown): string[] {
  const items = Array.isArray(list) ? list.filter(isObject) : []
  const ids = (items as Record<string, unknown>[]).map(({ id_external: id }) => id)
  return ids.filter((id) => typeof id === 'string')
}

/** Omits the token and the rate limit from a response of `/v1/me`: they may differ between two installations. */
function rightsIn(json: unknown): unknown {
  const { partner, grants, contract } = (isObject(json) ? json : {}) as Record<string, unknown>
  return { partner, contract, ...(Array.isArray(grants) && { grants: grants.map(withSortedRights) }) }
}

/** Renames `facility` to `id`, by which lists are matched, and sorts the rights, whose order means nothing. */
function withSortedRights(row: unknown): unknown {
  if (!isObject(row)) return row
  const { facility, ...rights } = row as Record<string, unknown>
  const sorted = Object.entries(rights).map(([key, value]) => [key, Array.isArray(value) ? value.toSorted() : value])
  return { id: facility, ...Object.fromEntries(sorted) }
}

/**
 * Returns the values to show. Omits objects and lists, and everything in services and notes, which are about guests.
 */
function shownValues({ path, kind, a, b }: JsonDifference): object {
  const isAboutGuests = path.some((name) => name === 'data_services' || name === 'data_general')
  const isShown =
    kind === 'changed' && !isAboutGuests && [a, b].every((value) => value === null || typeof value !== 'object')
  return isShown ? { a, b } : {}
}
