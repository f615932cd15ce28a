import { isUnreachable } from './errors.ts'
import { type ProbeResult, probe } from './probe.ts'
import type { Server } from './servers.ts'

const tryEveryMs = 200

/**
 * Probes all servers in parallel, each again 200 ms after a failure, until the first one accepts writes. The probes are
 * independent: one of a server that does not respond takes seconds to time out, in which another can be promoted.
 */
export class PrimarySearch {
  /** Resolves when a primary is found, or when every server has been tried once. */
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

  /** The error to report: one that only the operator can fix, such as a wrong password, before an unreachable server. */
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
