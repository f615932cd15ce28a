import type { EngineOptions } from '../engine.ts'
import { errorWithCode, isUnreachable } from './errors.ts'
import type { Target } from './pool.ts'
import { type ProbeResult, probe } from './probe.ts'
import { type Server, serversOf } from './servers.ts'

/**
 * Finds the primary: the server in ATRIUM_DATABASE that accepts writes. Searches before the first connection, and
 * whenever one breaks or cannot be opened. Once all servers have failed, requests fail at once, while the search
 * continues.
 * Invariant: a connection is used only in the generation in which it was opened. Every failover, every restart of the
 * server and every break of the polling connection starts a new one, since older connections may lead to another
 * server.
 */
export class Primary implements Target {
  readonly role = 'primary'
  readonly #servers: Server[]
  readonly #onServerChange: NonNullable<EngineOptions['onServerChange']>
  generation = 0
  #found: ProbeResult | undefined
  #search: PrimarySearch | undefined
  /** The error because of which the current search for the primary was started. */
  #cause: unknown
  #isClosed = false

  constructor(url: string, onServerChange: EngineOptions['onServerChange'] = () => {}) {
    this.#servers = serversOf(url)
    this.#onServerChange = onServerChange
  }

  /** The primary that was found last; before that, the first server in ATRIUM_DATABASE. */
  get url(): string {
    return this.#found?.url ?? (this.#servers[0]?.urls[0] as string)
  }

  get isLost(): boolean {
    return this.#found === undefined || this.#search !== undefined
  }

  /** Waits for the search, or starts one. Throws once all servers have failed; the search then continues. */
  async find(cause?: unknown): Promise<void> {
    if (this.#isClosed) throw errorWithCode('57P01', 'the database is closed')
    if (this.#search === undefined) {
      this.#cause = cause
      this.#search = new PrimarySearch(this.#servers, (found) => this.#use(found))
    }
    const search = this.#search
    await search.firstRound
    if (!search.isOver && search.error !== undefined) throw this.#retryable(search.error)
  }

  close(): void {
    this.#isClosed = true
    this.#search?.stop()
  }

  #use(found: ProbeResult): void {
    const before = this.#found
    this.#found = found
    this.#search = undefined
    if (before === undefined) return
    if (before.identity !== found.identity) this.generation++
    if (before.name !== found.name) this.#onServerChange({ from: before.name, to: found.name, reason: this.#cause })
  }

  /** Makes errors such as a wrong password an outage if a primary was found before; else they prevent the start. */
  #retryable(error: Error): Error {
    if (this.#found === undefined || isUnreachable(error)) return error
    return errorWithCode('08004', error.message, error)
  }
}

const tryEveryMs = 200

/**
 * Tries all servers in parallel, each again 200 ms after it failed: a server that does not respond takes seconds to
 * time out, and another may become the primary meanwhile.
 */
class PrimarySearch {
  /** Resolves with the primary, or when every server has been tried once. */
  readonly firstRound: Promise<unknown>
  readonly #errors = new Map<Server, Error>()
  readonly #onFound: (found: ProbeResult) => void
  #isOver = false

  constructor(servers: Server[], onFound: (found: ProbeResult) => void) {
    this.#onFound = onFound
    this.firstRound = Promise.any(servers.map((server) => this.#try(server))).catch(() => {})
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** An error that only an operator can fix, such as a wrong password, takes precedence over unreachable servers. */
  get error(): Error | undefined {
    const errors = [...this.#errors.values()]
    return errors.find((error) => !isUnreachable(error)) ?? errors[0]
  }

  stop(): void {
    this.#isOver = true
  }

  async #try(server: Server): Promise<void> {
    if (this.#isOver) return
    try {
      const found = await probe(server)
      if (this.#isOver) return
      this.stop()
      this.#onFound(found)
    } catch (error) {
      this.#errors.set(server, error as Error)
      setTimeout(() => void this.#try(server).catch(() => {}), tryEveryMs).unref()
      throw error
    }
  }
}
