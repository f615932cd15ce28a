import { createHash } from 'node:crypto'
import { isObject } from '../domain/json.ts'
import type { Remote, RemoteResponse } from './remote.ts'
import { listFacilities, type Reader, readFacility, type SeenFacility } from './seen-facility.ts'

/** A request with the status and ETag of its response. */
interface Condition {
  remote: Remote
  path: string
  status: number
  etag: string | undefined
}

/** What is kept of a facility between two rounds: enough to see that nothing has changed. */
interface Known {
  summary: Record<string, unknown>
  readers: Remote[]
  /** The requests that made it up; undefined if they cannot show that nothing has changed. */
  conditions: Condition[] | undefined
  hash: string
}

/**
 * Follows what tokens can see in another installation, without changing it. A round reads every facility, with
 * `If-None-Match` where the installation has ETags; between rounds, `GET /v1/events` names the facilities that changed,
 * where it has that.
 */
export class Follower {
  readonly #remotes: Remote[]
  readonly #known = new Map<string, Known>()
  readonly #cursors = new Map<Remote, string>()

  constructor(remotes: Remote[]) {
    this.#remotes = remotes
  }

  /** Whether the events of every token can be read. */
  get hasEvents(): boolean {
    return this.#cursors.size === this.#remotes.length
  }

  /** Lists the facilities. Called at the beginning of a round; events from then on are those after the list. */
  async list(): Promise<string[]> {
    for (const remote of this.#remotes) {
      const next = await this.#cursorOf(remote)
      if (next !== undefined) this.#cursors.set(remote, next)
    }
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

  async #cursorOf(remote: Remote): Promise<string | undefined> {
    const { json } = await remote.get('/v1/events')
    const { next } = (isObject(json) ? json : {}) as { next?: unknown }
    return typeof next === 'string' ? next : undefined
  }

  /** Reads a facility. Returns undefined when it is as it was when `accept` was last called. */
  async read(id: string): Promise<{ seen: SeenFacility; accept(): void } | undefined> {
    const known = this.#known.get(id)
    if (known === undefined || (await isUnchanged(known))) return undefined
    const conditions: Condition[] = []
    const readers = known.readers.map((remote): Reader => {
      const get = async (path: string): Promise<RemoteResponse> => {
        const response = await remote.get(path)
        conditions.push({ remote, path, status: response.status, etag: response.etag })
        return response
      }
      return { name: remote.name, get }
    })
    const seen = await readFacility(id, known.summary, readers)
    const hash = createHash('sha256').update(JSON.stringify(seen)).digest('base64')
    const accept = () => {
      const isUsable = conditions.every(({ status, etag }) => status !== 200 || etag !== undefined)
      known.conditions = isUsable ? conditions : undefined
      known.hash = hash
    }
    if (hash !== known.hash) return { seen, accept }
    accept()
    return undefined
  }

  /** Returns the facilities that events have named since the last call, or undefined when a cursor is no longer valid. */
  async changed(): Promise<string[] | undefined> {
    const ids = new Set<string>()
    for (const [remote, cursor] of this.#cursors) {
      for (let after = cursor; ; ) {
        const { status, json } = await remote.get(`/v1/events?limit=1000&after=${encodeURIComponent(after)}`)
        const { data, next } = (isObject(json) ? json : {}) as { data?: unknown; next?: unknown }
        if (status !== 200 || !Array.isArray(data) || typeof next !== 'string') return undefined
        for (const event of data) if (typeof event?.facility === 'string') ids.add(event.facility)
        this.#cursors.set(remote, next)
        if (data.length === 0 || next === after) break
        after = next
      }
    }
    return [...ids].filter((id) => this.#known.has(id))
  }
}

async function isUnchanged({ conditions }: Known): Promise<boolean> {
  if (conditions === undefined || conditions.length === 0) return false
  for (const { remote, path, status, etag } of conditions) {
    const response = await remote.get(path, status === 200 ? etag : undefined)
    const isSame = response.status === 304 || (response.status === status && (status !== 200 || response.etag === etag))
    if (!isSame) return false
  }
  return true
}
