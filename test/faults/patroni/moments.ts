import { setTimeout as sleep } from 'node:timers/promises'

const everyMs = 20

/** Repeats an attempt, and records when it last began to succeed after failing. */
export class Moments {
  backAtMs: number | undefined
  isWorking = true
  #isOn = true
  readonly #ended: Promise<void>

  constructor(works: () => Promise<boolean>) {
    this.#ended = this.#watch(works)
    this.#ended.catch(() => {})
  }

  async end(): Promise<void> {
    this.#isOn = false
    await this.#ended
  }

  async #watch(works: () => Promise<boolean>): Promise<void> {
    while (this.#isOn) {
      const isWorking = await works()
      if (isWorking && !this.isWorking) this.backAtMs = performance.now()
      this.isWorking = isWorking
      await sleep(everyMs)
    }
  }
}
