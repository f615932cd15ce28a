import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MaybePromise } from '../domain/maybe.ts'

/**
 * The turns of the event loop for which an asynchronous poll waits before it begins. A poll costs as much as several
 * responses, so more requests should share it: clients that have just received a response send their next request
 * meanwhile.
 */
const turnsPerPoll = 2

/**
 * Revalidates the caches: polls the database for changes, at most once per turn of the event loop, for all requests
 * that arrived in that turn.
 *
 * Invariant (linearizable reads): a request is served from the cache only after a poll that began after the request
 * arrived, so that it sees every write that any node had acknowledged by then. With SQLite a poll is synchronous and
 * takes microseconds; with PostgreSQL it is one statement, and requests that arrive during a poll share the next one.
 */
export class Freshness<C> {
  readonly #ask: () => MaybePromise<C>
  readonly #apply: (changes: C | 'everything') => void
  #isFresh = false
  /** Whether the last poll was synchronous, as with SQLite. */
  #isImmediate = true
  #current: Promise<void> = Promise.resolve()
  /** The poll that is scheduled but has not begun; all requests that arrive until then wait for it. */
  #next: Promise<void> | undefined

  /** Passes `everything` to `apply` after a failed poll, because it is unknown what changed. */
  constructor(poll: () => MaybePromise<C>, apply: (changes: C | 'everything') => void) {
    this.#ask = poll
    this.#apply = apply
  }

  /** Returns a promise that resolves once the caches are current, or undefined if they already are. */
  ensureFresh(): Promise<void> | undefined {
    if (this.#isFresh) return undefined
    if (this.#next !== undefined) return this.#next
    return this.#isImmediate ? this.#poll() : this.#pollSoon()
  }

  /** Makes the next `ensureFresh` poll again, even in the same turn of the event loop, as is needed after a commit. */
  expire(): void {
    this.#isFresh = false
  }

  #poll(): Promise<void> | undefined {
    const changes = this.#tryToPoll()
    this.#isImmediate = !(changes instanceof Promise)
    if (changes instanceof Promise) {
      this.#current = changes.then(this.#apply, (error) => {
        this.#apply('everything')
        throw error
      })
      this.#current.catch(() => {})
      return this.#current
    }
    this.#apply(changes)
    this.#isFresh = true
    setImmediate(this.#turn)
    return undefined
  }

  /** Converts an exception of a synchronous poll to a rejected promise. */
  #tryToPoll(): MaybePromise<C> {
    try {
      return this.#ask()
    } catch (error) {
      return Promise.reject(error)
    }
  }

  readonly #turn = () => {
    this.#isFresh = false
  }

  #pollSoon(): Promise<void> {
    this.#next = this.#gather().then(() => {
      this.#next = undefined
      return this.#poll()
    })
    return this.#next
  }

  async #gather(): Promise<void> {
    await this.#current.catch(() => {})
    for (let turn = 0; turn < turnsPerPoll; turn++) await nextTurn()
  }
}
