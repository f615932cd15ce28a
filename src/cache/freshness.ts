import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MaybePromise } from '../domain/maybe.ts'

/**
 * Turns of the event loop for which a poll that has to be waited for gathers requests: a client that was just answered
 * asks again meanwhile, and each poll costs as much as some responses.
 */
const turnsPerPoll = 2

/**
 * Revalidates the caches, once per turn of the event loop or per some turns, however many requests came in them, and
 * always after they came: whatever any node acknowledged before a request was sent is known before it is answered.
 */
export class Freshness<C> {
  readonly #ask: () => MaybePromise<C>
  readonly #apply: (changes: C | 'everything') => void
  #isFresh = false
  /** Whether the last poll returned at once. */
  #isImmediate = true
  #current: Promise<void> = Promise.resolve()
  /** The poll that begins some turns after the one under way, for all who came before it. */
  #next: Promise<void> | undefined

  /**
   * `poll` asks the database what has changed since the last poll; `apply` invalidates it. After a poll that failed
   * nobody knows what has changed, so that everything is stale.
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

  /** Has the next `ensureFresh` poll: something may have been committed in this very turn. */
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

  /** Rejects when the poll throws, for those who wait. */
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
