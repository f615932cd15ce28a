import { Refusal } from '../../domain/refusal.ts'
import type { ShownRequest } from '../../domain/request.ts'
import { lastRequest, requestsAfter } from '../../storage/cms/request.ts'
import type { Db } from '../../storage/database.ts'
import { shownRequests } from './request.ts'

const everyMs = 1000
const listenersAtMost = 100
/** Of one look; whoever follows so many by eye misses none of the rest. */
const rowsAtMost = 1000
/** Numbers are given before they are committed: what appears so many looks late is still told. */
const looksBack = 5

type Listener = (requests: ShownRequest[]) => void

/** Tells those who follow the request log what any node has written to it: one look a second for all of them. */
export class RequestFeed {
  readonly #db: Db
  readonly #listeners = new Set<Listener>()
  #timer: NodeJS.Timeout | undefined
  /** The highest number at each of the last looks, the oldest first. */
  #marks: number[] = []
  #told = new Set<number>()
  #isEnded = false
  #looking: Promise<void> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** What is written from now on, and nothing now and then, until the node stops or whoever listens has enough. */
  follow(): AsyncGenerator<ShownRequest[]> {
    if (this.#listeners.size < listenersAtMost) return this.#following()
    throw new Refusal('overloaded', 'Too many follow the log already.', { retryAfterSeconds: 10 })
  }

  async *#following(): AsyncGenerator<ShownRequest[]> {
    const waiting: ShownRequest[] = []
    let wake = () => {}
    const listener = (requests: ShownRequest[]) => {
      waiting.push(...requests)
      waiting.splice(0, waiting.length - rowsAtMost)
      wake()
    }
    this.#listeners.add(listener)
    this.#timer ??= setInterval(() => void this.#look(), everyMs).unref()
    try {
      // From here on: what is written before the first look would be missed.
      if (this.#marks.length === 0) await this.#look()
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

  /** Lets everybody go. */
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
    this.#told.clear()
  }

  #look(): Promise<void> {
    this.#looking ??= this.#tellNews().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** A look that fails is made good by the next one. */
  async #tellNews(): Promise<void> {
    const requests = await this.#news().catch(() => [])
    for (const listener of this.#listeners) listener(requests)
  }

  async #news(): Promise<ShownRequest[]> {
    const [mark] = this.#marks
    if (mark === undefined) {
      this.#marks = [await this.#db.read(lastRequest)]
      return []
    }
    const found = await this.#db.read((tx) => requestsAfter(tx, mark, rowsAtMost * looksBack))
    const news = found.filter(({ seq }) => !this.#told.has(seq))
    this.#marks.push(found.at(-1)?.seq ?? mark)
    if (this.#marks.length > looksBack) this.#marks.shift()
    const [oldest = mark] = this.#marks
    this.#told = new Set(found.map(({ seq }) => seq).filter((seq) => seq > oldest))
    return this.#db.read((tx) => shownRequests(tx, news))
  }
}
