import { afterTurns } from '../after-turns.ts'
import type { Changes } from '../engine.ts'
import type { Maybe } from './maybe.ts'

/**
 * Turns of the event loop for which a look that has to be waited for gathers those who come: whoever was answered by the
 * last one asks again meanwhile, and each look costs as much as some answers.
 */
const turnsToGather = 2

/**
 * Knows whether what is remembered is still true. It is asked once per turn of the event loop, or per some turns, however
 * many requests came in them, and always after they came: whatever was acknowledged before a request was sent, by any
 * node or process, is known before it is answered.
 */
export class Watch {
  readonly #look: () => Maybe<Changes>
  readonly #apply: (changes: Changes) => void
  #isKnown = false
  /** The look that begins some turns after the one under way, for all who came before it. */
  #next: Promise<void> | undefined
  #current: Promise<void> = Promise.resolve()

  constructor(look: () => Maybe<Changes>, apply: (changes: Changes) => void) {
    this.#look = look
    this.#apply = apply
  }

  /** Nothing to wait for, or a promise. */
  catchUp(): Promise<void> | undefined {
    if (this.#isKnown) return undefined
    if (this.#next !== undefined) return this.#next
    return this.#isImmediate ? this.#lookNow() : this.#lookSoon()
  }

  /** Something may have been committed in this very turn. */
  expire(): void {
    this.#isKnown = false
  }

  #isImmediate = true

  #lookNow(): Promise<void> | undefined {
    const changes = this.#tryToLook()
    if (changes instanceof Promise) {
      this.#isImmediate = false
      this.#current = changes.then(this.#apply, (error) => {
        this.#apply('everything')
        throw error
      })
      this.#current.catch(() => {})
      return this.#current
    }
    if (changes.length > 0) this.#apply(changes)
    this.#isImmediate = true
    this.#isKnown = true
    setImmediate(this.#turn)
    return undefined
  }

  /** A failure is told to those who wait, never thrown at them. */
  #tryToLook(): Maybe<Changes> {
    try {
      return this.#look()
    } catch (error) {
      return Promise.reject(error)
    }
  }

  readonly #turn = () => {
    this.#isKnown = false
  }

  #lookSoon(): Promise<void> {
    this.#next = new Promise((resolve, reject) => {
      const look = () => {
        this.#next = undefined
        const looking = this.#lookNow()
        if (looking === undefined) resolve()
        else looking.then(resolve, reject)
      }
      const gather = () => afterTurns(turnsToGather, look)
      this.#current.then(gather, gather)
    })
    return this.#next
  }
}
