import { Refusal } from '../../domain/refusal.ts'
import type { Work } from '../../storage/database.ts'

const sampleEveryMs = 100
/** The weight of the latest sample in the moving average of the event loop's lag. */
const weight = 0.2

interface OverloadLimits {
  lagMs: number
  queue: number
}

/** Load shedding by the event loop's lag and the queue for the database. Requests without the database always pass. */
export class Overload {
  readonly #limits: OverloadLimits
  /** The moving average of the event loop's lag in milliseconds. */
  #lagMs = 0
  readonly refused = { loop: 0, queue: 0 }

  constructor(limits: OverloadLimits) {
    this.#limits = limits
  }

  /** Limits each sample to twice the limit: one long pause does not count as overload, but several in a row do. */
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
   * Throws if the node is overloaded. A query outside a transaction is refused only if the queue is full, never because
   * of the event loop's lag: the lag can come from work that was admitted earlier.
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
