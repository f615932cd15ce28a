import { Refusal } from '../domain/refusal.ts'

/** If the node waits for long, it listens: `/healthz` responds, `/readyz` says for what, and all else is refused. */
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
