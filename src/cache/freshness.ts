import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MaybePromise } from '../domain/maybe.ts'

/**
 * How many turns of the event loop an asynchronous poll waits, so that more requests share it: clients that have just
 * received a response send their next request in this time, and a poll costs as much as several responses.
 */
const turnsPerPoll = 2

/**
 * Revalidates the caches by polling the database for changes, at most once per turn of the event loop, for all requests
 * that arrived in it.
 *
 * Invariant (linearizable reads): a request is only served from the cache after a poll that began after it arrived, so
 * that it sees every write that any node acknowledged before. With SQLite a poll is synchronous and costs microseconds;
 * with PostgreSQL it is one statement, and requests that arrive while a poll is in flight share the next one.
 */
export class Freshness<C> {
  readonly #ask: () => MaybePromise<C>
  readonly #apply: (changes: C | 'everything') => void
  #isFresh = false
  /** Whether the last poll was synchronous. */
  #isImmediate = true
  #current: Promise<void> = Promise.resolve()
  /** The scheduled poll, which all requests join that arrive before it begins. */
  #next: Promise<void> | undefined

  /**
   * `poll` returns the changes since the last poll, and `apply` invalidates what they affect. A failed poll loses an
   * unknown set of changes, so it invalidates everything.
   */
  constructor(poll: () => MaybePromise<C>, apply: (changes: C | 'everything') => void) {
    this.#ask = poll
    this.#apply = apply
  }

  /** Returns undefined when the caches are current, otherwise a promise that they will be. */
  ensureFresh(): Promise<void> | undefined {
    if (this.#isFresh) return undefined
    if (this.#next !== undefined) return this.#next
    return this.#isImmediate ? this.#poll() : this.#pollSoon()
  }

  /** Makes the next `ensureFresh` poll again, after a commit in the same turn of the event loop. */
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

  /** Converts an exception of a synchronous poll to a rejection. */
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
