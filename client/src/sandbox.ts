import type { CallOptions, Calls } from './calls.ts'
import type * as schema from './schema.ts'

/** Only with a token that begins with `atr_test_`. */
export class Sandbox {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  get(options?: CallOptions): Promise<schema.Sandbox> {
    return this.#calls.body({ method: 'GET', path: '/sandbox', options, isRepeatable: true })
  }

  /** All as it was in the beginning, and the clock at real time. */
  reset(options?: CallOptions): Promise<schema.Sandbox> {
    return this.#calls.body({ method: 'POST', path: '/sandbox/reset', options, isRepeatable: true })
  }

  /** To a time, or on by a duration such as `PT2H`: what is due by then is told as events. Only forward. */
  clock(to: { now: string } | { advance: string }, options?: CallOptions): Promise<schema.Sandbox> {
    const isRepeatable = 'now' in to
    return this.#calls.body({ method: 'POST', path: '/sandbox/clock', body: to, options, isRepeatable })
  }
}
