import { Refusal } from '../domain/refusal.ts'

/**
 * The state of a starting node. If it has to wait long, for example for its database, it listens before it is ready:
 * `/healthz` responds, `/readyz` says what the node waits for, and all other requests are refused.
 */
export class Startup {
  #waitsFor: string | undefined = 'its database'

  /** What the node waits for, in words; undefined once it serves requests. */
  get waitsFor(): string | undefined {
    return this.#waitsFor
  }

  waitFor(what: string): void {
    if (this.#waitsFor !== undefined) this.#waitsFor = what
  }

  end(): void {
    this.#waitsFor = undefined
  }

  assertOver(): void {
    if (this.#waitsFor === undefined) return
    throw new Refusal('database_unavailable', `This node is starting and waits for ${this.#waitsFor}.`, {
      retryAfterSeconds: 1,
    })
  }
}
