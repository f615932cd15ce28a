import type { Target } from '../pool.ts'
import { serversOf } from '../servers.ts'

interface Candidate {
  name: string
  url: string
}

/** The standbys that ATRIUM_DATABASE_REPLICA names. One is used at a time. */
export class Candidates implements Target {
  readonly role = 'standby'
  readonly isLost = false
  generation = 0
  readonly all: Candidate[]
  #at = 0

  constructor(url: string) {
    this.all = serversOf(url, 'standby').flatMap(({ name, urls }) => urls.map((one) => ({ name, url: one })))
  }

  get name(): string {
    return this.#current.name
  }

  get url(): string {
    return this.#current.url
  }

  get #current() {
    return this.all[this.#at] as Candidate
  }

  /** Throws without a search for another server, because reads fall back to the primary. */
  async find(cause: unknown): Promise<void> {
    throw cause
  }

  /** Uses the next standby, if there is one, and drops the connections to this one. */
  next(): void {
    if (this.all.length === 1) return
    this.#at = (this.#at + 1) % this.all.length
    this.generation++
  }
}
