import { Refusal } from '../../domain/refusal.ts'
import type { Work } from '../../storage/database.ts'

const everyMs = 100
/** How much the newest look at the clock counts. */
const weight = 0.2

export interface OverloadLimits {
  lagMs: number
  queue: number
}

/**
 * Sends new work away at once when it could only wait: the event loop has been late for a while, or too many
 * transactions stand in line. What needs no database is not asked here, and goes on.
 */
export class Overload {
  readonly #limits: OverloadLimits
  /** How late the event loop is, on average. */
  #lagMs = 0
  readonly refused = { loop: 0, queue: 0 }

  constructor(limits: OverloadLimits) {
    this.#limits = limits
  }

  /** One long pause is no overload: it takes several in a row, so no single one counts for more than twice the limit. */
  watch(): NodeJS.Timeout {
    let lastMs = performance.now()
    const look = () => {
      const nowMs = performance.now()
      const lateMs = Math.min(nowMs - lastMs - everyMs, 2 * this.#limits.lagMs)
      this.#lagMs += weight * (Math.max(0, lateMs) - this.#lagMs)
      lastMs = nowMs
    }
    return setInterval(look, everyMs).unref()
  }

  /** A single question may belong to work that was let in: only the line can be too long for it. */
  readonly admit = (work: Work | 'query', pending: number): void => {
    if (pending >= this.#limits.queue) throw this.#refusal('queue')
    if (work !== 'query' && this.#lagMs > this.#limits.lagMs) throw this.#refusal('loop')
  }

  #refusal(reason: keyof Overload['refused']): Refusal {
    this.refused[reason]++
    return new Refusal('overloaded', 'This node has more to do than it can. Nothing was changed.', {
      retryAfterSeconds: 1,
    })
  }
}
