/** The maximum number of polls from one attempt to read a facility to the next. */
const maxDelay = 64

interface Waiting {
  failures: number
  dueAtPoll: number
}

/**
 * A facility that failed is due again at the next poll; after further failures the number of polls in between doubles
 * (exponential backoff).
 */
export class ReadQueue {
  readonly #waiting = new Map<string, Waiting>()
  #poll = 0

  /** Adds facilities, which are then due at once. */
  add(ids: Iterable<string>): void {
    for (const id of ids) this.#waiting.set(id, { failures: 0, ...this.#waiting.get(id), dueAtPoll: this.#poll })
  }

  /** Returns those that failed last, so that they do not delay others. */
  nextPoll(): string[] {
    this.#poll++
    const due = [...this.#waiting].filter(([, { dueAtPoll }]) => dueAtPoll <= this.#poll)
    return due.sort(([, a], [, b]) => a.failures - b.failures).map(([id]) => id)
  }

  done(id: string): void {
    this.#waiting.delete(id)
  }

  failed(id: string): void {
    const failures = (this.#waiting.get(id)?.failures ?? 0) + 1
    this.#waiting.set(id, { failures, dueAtPoll: this.#poll + Math.min(2 ** (failures - 1), maxDelay) })
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  listFailed(): string[] {
    return [...this.#waiting].filter(([, { failures }]) => failures > 0).map(([id]) => id)
  }
}
