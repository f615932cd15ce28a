import { createHash } from 'node:crypto'
import { isObject } from '../domain/json.ts'
import type { Reader, Remote, RemoteResponse } from './remote.ts'
import { RemoteFailure } from './remote-failure.ts'
import { listFacilities, readFacility, type SeenFacility } from './seen-facility.ts'

/** A request with the status and ETag of its response, to be repeated to see whether anything has changed. */
interface Condition extends Pick<RemoteResponse, 'status' | 'etag' | 'next'> {
  remote: Remote
  target: string
}

/** What is kept of a facility after it was read: enough to notice at the next reading that it has changed. */
interface Known {
  summary: Record<string, unknown>
  readers: Remote[]
  /**
   * The requests by which the facility was read. Undefined if repeating them cannot show that nothing has changed, for
   * example because a response had no ETag.
   */
  conditions: Condition[] | undefined
  hash: string
}

/**
 * A round reads every facility that the tokens can see, with `If-None-Match` if the installation returns ETags. Between
 * rounds, `GET /v1/events`, if it exists, names the changed facilities.
 */
export class Follower {
  readonly #remotes: Remote[]
  readonly #known = new Map<string, Known>()
  #cursors = new Map<Remote, string>()

  constructor(remotes: Remote[]) {
    this.#remotes = remotes
  }

  /** Whether every token can read events, so that no change is missed between two readings of all facilities. */
  get hasEvents(): boolean {
    return this.#cursors.size === this.#remotes.length
  }

  /** Begins a round. Reads each token's cursor before the list, so that events show every change after the list. */
  async list(): Promise<string[]> {
    for (const remote of this.#remotes) {
      const next = await this.#cursorOf(remote)
      if (next === undefined) this.#cursors.delete(remote)
      else this.#cursors.set(remote, next)
    }
    return this.#list()
  }

  async #list(): Promise<string[]> {
    const found = new Map<string, Pick<Known, 'summary' | 'readers'>>()
    for (const remote of this.#remotes) {
      for (const summary of await listFacilities(remote)) {
        const { id_external: id } = summary
        if (typeof id !== 'string' || id === '') continue
        const one = found.get(id) ?? { summary, readers: [] }
        found.set(id, { ...one, readers: [...one.readers, remote] })
      }
    }
    for (const id of this.#known.keys()) if (!found.has(id)) this.#known.delete(id)
    for (const [id, one] of found) {
      const known = this.#known.get(id)
      const isSame = known !== undefined && JSON.stringify(known.summary) === JSON.stringify(one.summary)
      const { conditions, hash } = known ?? { hash: '' }
      this.#known.set(id, { ...one, hash, conditions: isSame ? conditions : undefined })
    }
    return [...found.keys()]
  }

  /** Returns undefined if events cannot be read, in whatever way the installation responds. */
  async #cursorOf(remote: Remote): Promise<string | undefined> {
    const json = await remote.get('/v1/events').then(
      (response) => response.json,
      (error) => {
        if (!(error instanceof RemoteFailure)) throw error
      },
    )
    const { next } = (isObject(json) ? json : {}) as { next?: unknown }
    return typeof next === 'string' ? next : undefined
  }

  /** Reads a facility. Returns undefined if it has not changed since the caller last called `accept` for it. */
  async read(id: string): Promise<{ seen: SeenFacility; accept(): void } | undefined> {
    const known = this.#known.get(id)
    if (known === undefined || (await isUnchanged(known))) return undefined
    const conditions: Condition[] = []
    const readers = known.readers.map((remote): Reader => {
      const get = async (target: string): Promise<RemoteResponse> => {
        const { json, ...response } = await remote.get(target)
        conditions.push({ remote, target, ...response })
        return { json, ...response }
      }
      return { name: remote.name, get }
    })
    const seen = await readFacility(id, known.summary, readers)
    const hash = createHash('sha256').update(JSON.stringify(seen)).digest('base64')
    const accept = () => {
      // A list in pages is always read: the ETag of a page can stay the same when another page is added after it.
      const isUsable = conditions.every(
        ({ status, etag, next }) => next === undefined && (status !== 200 || etag !== undefined),
      )
      known.conditions = isUsable ? conditions : undefined
      known.hash = hash
    }
    if (hash !== known.hash) return { seen, accept }
    accept()
    return undefined
  }

  /**
   * Returns the facilities that events have named since the last call that succeeded. If an event names a new facility,
   * lists all facilities again. Returns undefined if events were lost, because a token's cursor is not valid any more.
   */
  async changed(): Promise<string[] | undefined> {
    const ids = new Set<string>()
    const cursors = new Map(this.#cursors)
    for (const [remote, cursor] of this.#cursors) {
      for (let after = cursor; ; ) {
        const { status, json } = await remote.get(`/v1/events?limit=1000&after=${encodeURIComponent(after)}`)
        const { data, next } = (isObject(json) ? json : {}) as { data?: unknown; next?: unknown }
        if (status !== 200 || !Array.isArray(data) || typeof next !== 'string') return undefined
        for (const event of data) if (typeof event?.facility === 'string') ids.add(event.facility)
        cursors.set(remote, next)
        if (data.length === 0 || next === after) break
        after = next
      }
    }
    if (![...ids].every((id) => this.#known.has(id))) await this.#list()
    this.#cursors = cursors
    return [...ids].filter((id) => this.#known.has(id))
  }
}

async function isUnchanged({ conditions }: Known): Promise<boolean> {
  if (conditions === undefined || conditions.length === 0) return false
  for (const { remote, target, status, etag } of conditions) {
    const response = await remote.get(target, status === 200 ? etag : undefined)
    const isSame = response.status === 304 || (response.status === status && (status !== 200 || response.etag === etag))
    if (!isSame || response.next !== undefined) return false
  }
  return true
}
