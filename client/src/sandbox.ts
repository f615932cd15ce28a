import type { CallOptions, Calls } from './calls.ts'
import type * as schema from './schema.ts'

/** Methods for sandboxes; they need a token that begins with `atr_test_`. */
export class Sandbox {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  get(options?: CallOptions): Promise<schema.Sandbox> {
    return this.#calls.body({ method: 'GET', path: '/sandbox', options, isIdempotent: true })
  }

  /** Restores the initial state, and sets the clock to real time. */
  reset(options?: CallOptions): Promise<schema.Sandbox> {
    return this.#calls.body({ method: 'POST', path: '/sandbox/reset', options, isIdempotent: true })
  }

  /** Moves the clock forward, to a time or by a duration such as `PT2H`; what becomes due causes events. */
  clock(to: { now: string } | { advance: string }, options?: CallOptions): Promise<schema.Sandbox> {
    const isIdempotent = 'now' in to
    return this.#calls.body({ method: 'POST', path: '/sandbox/clock', body: to, options, isIdempotent })
  }
}
