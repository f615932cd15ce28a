/** A counting semaphore, first come first served: at most `limit` tasks hold a slot at a time. */
export class Slots {
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(limit: number) {
    this.#free = limit
  }

  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#acquire(signal)
    try {
      return await task()
    } finally {
      this.#release()
    }
  }

  #acquire(signal?: AbortSignal): Promise<void> | undefined {
    signal?.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return undefined
    }
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(start)
        reject(signal?.reason)
      }
      const start = () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      this.#waiting.add(start)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** Passes the slot to the next waiting task. */
  #release(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free++
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}
