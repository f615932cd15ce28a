import { isAway } from './errors.ts'
import { type Found, probe } from './probe.ts'
import type { Server } from './servers.ts'

const tryEveryMs = 200

/**
 * Asks all servers, each again and again, until the first one takes writes. One that does not answer holds up nothing
 * but itself: its try takes seconds, in which another may have been promoted.
 */
export class Search {
  /** Settles when one is found, or each has been tried once. */
  readonly firstRound: Promise<unknown>
  readonly #errors = new Map<Server, Error>()
  readonly #found: (found: Found) => void
  #isOver = false

  constructor(servers: Server[], found: (found: Found) => void) {
    this.#found = found
    this.firstRound = Promise.any(servers.map((server) => this.#try(server))).catch(() => {})
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The newest one: a wrong password is for the operator to put right, a server that is away may come back. */
  get reason(): Error | undefined {
    const errors = [...this.#errors.values()]
    return errors.find((error) => !isAway(error)) ?? errors[0]
  }

  end(): void {
    this.#isOver = true
  }

  async #try(server: Server): Promise<void> {
    if (this.#isOver) return
    try {
      const found = await probe(server)
      if (this.#isOver) return
      this.end()
      this.#found(found)
    } catch (error) {
      this.#errors.set(server, error as Error)
      setTimeout(() => void this.#try(server).catch(() => {}), tryEveryMs).unref()
      throw error
    }
  }
}
