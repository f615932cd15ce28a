import { Refusal } from '../domain/refusal.ts'

/**
 * What a starting node waits for: its database, or migrations that it or another node applies. When that takes long, the
 * node listens already: `/healthz` responds, `/readyz` says what it waits for, and everything else is refused.
 */
export class Startup {
  #waitsFor: string | undefined = 'its database'

  /** Undefined once the node can serve. */
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
