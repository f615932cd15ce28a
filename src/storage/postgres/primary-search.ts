import { isUnreachable } from './errors.ts'
import { type ProbeResult, probe } from './probe.ts'
import type { Server } from './servers.ts'

const tryEveryMs = 200

/**
 * Tries all servers in parallel until one of them accepts writes. Tries each server again 200 ms after it failed,
 * without waiting for the others: a server that does not respond takes seconds to time out, and another may become the
 * primary meanwhile.
 */
export class PrimarySearch {
  /** Resolves when a primary is found, or when every server has been tried once without success. */
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

  /**
   * The error to report for the search. An error that only an operator can fix, such as a wrong password, takes
   * precedence over one that means that a server is unreachable.
   */
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
