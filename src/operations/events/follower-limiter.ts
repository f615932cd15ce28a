import { Refusal } from '../../domain/refusal.ts'

const maxPerPartner = 50
const maxTotal = 2000

/** Limits how many requests wait for events on this node, because each keeps a connection open. */
export class FollowerLimiter {
  readonly #counts = new Map<string, number>()
  #all = 0

  /** Counts a request until `signal` is aborted, which happens at the end of each request. */
  enter(partner: string, signal: AbortSignal): void {
    if (signal.aborted) return
    const count = this.#counts.get(partner) ?? 0
    if (count >= maxPerPartner) {
      const detail = `This partner follows events ${count} times already on this node, which is as often as it may.`
      throw new Refusal('rate_limited', detail, { retryAfterSeconds: 10 })
    }
    if (this.#all >= maxTotal) {
      throw new Refusal('overloaded', 'Too many follow events on this node already.', { retryAfterSeconds: 10 })
    }
    this.#counts.set(partner, count + 1)
    this.#all++
    signal.addEventListener('abort', () => this.#leave(partner), { once: true })
  }

  #leave(partner: string): void {
    const count = this.#counts.get(partner) ?? 0
    if (count > 1) this.#counts.set(partner, count - 1)
    else this.#counts.delete(partner)
    this.#all--
  }
}
