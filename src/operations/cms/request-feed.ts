import { Refusal } from '../../domain/refusal.ts'
import type { ShownRequest } from '../../domain/request.ts'
import { requestsAfter } from '../../storage/cms/request.ts'
import type { Db } from '../../storage/database.ts'
import { lastRequest } from '../../storage/request-log.ts'
import { shownRequests } from './request.ts'

const pollEveryMs = 1000
const maxListeners = 100
/** The rows per poll (one second). Further rows are never shown: an operator could not read that many. */
const maxRows = 1000
/** How many successive polls read the same rows: a row can be committed after one with a higher number. */
const overlapPolls = 5

type Listener = (requests: ShownRequest[]) => void

/** Streams new rows of the request log, from all nodes. One poll per second serves all listeners. */
export class RequestFeed {
  readonly #db: Db
  readonly #listeners = new Set<Listener>()
  #timer: NodeJS.Timeout | undefined
  /** The highest sequence number that each of the latest polls found, in the order of the polls, oldest first. */
  #marks: number[] = []
  /** The numbers of rows that listeners have received, above the oldest of `#marks`: polls do not read older ones. */
  #delivered = new Set<number>()
  #isEnded = false
  #polling: Promise<void> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Yields new log rows, sometimes none, until the node stops or the caller ends the iteration. */
  follow(): AsyncGenerator<ShownRequest[]> {
    if (this.#listeners.size < maxListeners) return this.#following()
    throw new Refusal('overloaded', 'Too many operators follow the log: try again in 10 seconds.', {
      retryAfterSeconds: 10,
    })
  }

  async *#following(): AsyncGenerator<ShownRequest[]> {
    const waiting: ShownRequest[] = []
    let wake = () => {}
    const listener = (requests: ShownRequest[]) => {
      waiting.push(...requests)
      waiting.splice(0, waiting.length - maxRows)
      wake()
    }
    this.#listeners.add(listener)
    this.#timer ??= setInterval(() => void this.#poll(), pollEveryMs).unref()
    try {
      // Sets the first mark, the position from which rows are new, now: at the last existing row. The timer's first poll would set it later, and rows written
      // until then would not be shown.
      if (this.#marks.length === 0) await this.#poll()
      yield []
      while (!this.#isEnded) {
        const woken = new Promise<void>((resolve) => (wake = resolve))
        if (waiting.length === 0) await woken
        yield waiting.splice(0)
      }
    } finally {
      this.#leave(listener)
    }
  }

  end(): void {
    this.#isEnded = true
    for (const listener of this.#listeners) listener([])
  }

  #leave(listener: Listener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#marks = []
    this.#delivered.clear()
  }

  #poll(): Promise<void> {
    this.#polling ??= this.#notifyListeners().finally(() => {
      this.#polling = undefined
    })
    return this.#polling
  }

  /** Passes new rows to all listeners. If the query fails, the next poll reads the rows. */
  async #notifyListeners(): Promise<void> {
    const requests = await this.#newRequests().catch(() => [])
    for (const listener of this.#listeners) listener(requests)
  }

  async #newRequests(): Promise<ShownRequest[]> {
    const [mark] = this.#marks
    if (mark === undefined) {
      this.#marks = [await this.#db.read(lastRequest)]
      return []
    }
    const found = await this.#db.read((tx) => requestsAfter(tx, mark, maxRows * overlapPolls))
    const fresh = found.filter(({ seq }) => !this.#delivered.has(seq))
    this.#marks.push(found.at(-1)?.seq ?? mark)
    if (this.#marks.length > overlapPolls) this.#marks.shift()
    const [oldest = mark] = this.#marks
    this.#delivered = new Set(found.map(({ seq }) => seq).filter((seq) => seq > oldest))
    return this.#db.read((tx) => shownRequests(tx, fresh))
  }
}
