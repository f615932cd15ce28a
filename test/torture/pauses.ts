const everyMs = 100
/** Longer than this process is ever busy itself, and shorter than the timeouts of requests and of the service. */
const longestMs = 4000

/**
 * Notices when the machine was suspended, from timers that were late: then timeouts passed although nothing took long,
 * and a violation proves nothing.
 */
export class Pauses implements Disposable {
  readonly #longestMs: number
  readonly #timer = setInterval(() => this.#look(), everyMs).unref()
  #lookedAtMs = performance.now()
  #isSeen = false

  constructor(limitMs = longestMs) {
    this.#longestMs = limitMs
  }

  /** Whether there was one since the last call. */
  take(): boolean {
    this.#look()
    const isSeen = this.#isSeen
    this.#isSeen = false
    return isSeen
  }

  #look(): void {
    const nowMs = performance.now()
    if (nowMs - this.#lookedAtMs > this.#longestMs) this.#isSeen = true
    this.#lookedAtMs = nowMs
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
