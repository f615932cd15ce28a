import { Refusal } from '../../domain/refusal.ts'

const ofPartnerAtMost = 50
const inAllAtMost = 2000

/** Counts who waits for events on this node: each holds a connection. */
export class Followers {
  readonly #counts = new Map<string, number>()
  #all = 0

  /** Counted until the signal says that it is over. */
  enter(partner: string, signal: AbortSignal): void {
    if (signal.aborted) return
    const count = this.#counts.get(partner) ?? 0
    if (count >= ofPartnerAtMost) {
      const detail = `This partner follows events ${count} times already on this node, which is as often as it may.`
      throw new Refusal('rate_limited', detail, { retryAfterSeconds: 10 })
    }
    if (this.#all >= inAllAtMost) {
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
