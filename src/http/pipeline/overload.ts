import { Refusal } from '../../domain/refusal.ts'
import type { Work } from '../../storage/database.ts'

const sampleEveryMs = 100
/** EWMA weight of the latest sample of event-loop lag. */
const weight = 0.2

export interface OverloadLimits {
  lagMs: number
  queue: number
}

/**
 * Load shedding: refuses new work at once when it could only wait. Signals are the lag of the event loop (an
 * exponentially weighted moving average) and the length of the database queue. Requests that need no database are not
 * refused.
 */
export class Overload {
  readonly #limits: OverloadLimits
  /** Moving average of the event loop's lag. */
  #lagMs = 0
  readonly refused = { loop: 0, queue: 0 }

  constructor(limits: OverloadLimits) {
    this.#limits = limits
  }

  /**
   * Starts sampling. A sample counts for at most twice the limit: one long pause is not overload, several in a row are.
   */
  start(): NodeJS.Timeout {
    let lastMs = performance.now()
    const sample = () => {
      const nowMs = performance.now()
      const lateMs = Math.min(nowMs - lastMs - sampleEveryMs, 2 * this.#limits.lagMs)
      this.#lagMs += weight * (Math.max(0, lateMs) - this.#lagMs)
      lastMs = nowMs
    }
    return setInterval(sample, sampleEveryMs).unref()
  }

  /**
   * Throws `overloaded`. A single query may belong to work that was admitted, so only the queue's length can refuse it.
   */
  readonly admit = (work: Work | 'query', pending: number): void => {
    if (pending >= this.#limits.queue) throw this.#refusal('queue')
    if (work !== 'query' && this.#lagMs > this.#limits.lagMs) throw this.#refusal('loop')
  }

  #refusal(reason: keyof Overload['refused']): Refusal {
    this.refused[reason]++
    return new Refusal('overloaded', 'This node is overloaded. Nothing was changed: try again in a second.', {
      retryAfterSeconds: 1,
    })
  }
}
