import type { EngineOptions } from '../engine.ts'
import { coded, isAway } from './errors.ts'
import type { Found } from './probe.ts'
import { Search } from './search.ts'
import { type Server, serversOf } from './servers.ts'

/**
 * Which of the servers takes writes. It is looked for when the first connection is wanted, and again whenever one breaks
 * or cannot be had, whatever broke it; while there is none, everybody hears at once that there is none.
 */
export class Primary {
  readonly #servers: Server[]
  readonly #changed: NonNullable<EngineOptions['onServerChange']>
  /** Connections of an earlier one may lead to a server that has been replaced. */
  era = 0
  #found: Found | undefined
  #search: Search | undefined
  /** Why it is looked for. */
  #reason: unknown
  #isClosed = false

  constructor(url: string, changed: EngineOptions['onServerChange'] = () => {}) {
    this.#servers = serversOf(url)
    this.#changed = changed
  }

  /** Of the one that took writes when one was last looked for. */
  get url(): string {
    return this.#found?.url ?? (this.#servers[0]?.urls[0] as string)
  }

  get isLost(): boolean {
    return this.#found === undefined || this.#search !== undefined
  }

  /** Fails while none is found. */
  async find(reason?: unknown): Promise<void> {
    if (this.#isClosed) throw coded('57P01', 'the database is closed')
    if (this.#search === undefined) {
      this.#reason = reason
      this.#search = new Search(this.#servers, (found) => this.#use(found))
    }
    const search = this.#search
    await search.firstRound
    if (!search.isOver && search.reason !== undefined) throw this.#clear(search.reason)
  }

  close(): void {
    this.#isClosed = true
    this.#search?.end()
  }

  #use(found: Found): void {
    const before = this.#found
    this.#found = found
    this.#search = undefined
    if (before === undefined) return
    if (before.identity !== found.identity) this.era++
    if (before.name !== found.name) this.#changed({ from: before.name, to: found.name, reason: this.#reason })
  }

  /** What keeps a node from starting is no reason to end one that runs. */
  #clear(reason: Error): Error {
    if (this.#found === undefined || isAway(reason)) return reason
    return coded('08004', reason.message, reason)
  }
}
