import type { StoredEntry } from '../../domain/audit/audit-seal.ts'
import type { MaybePromise } from '../../domain/maybe.ts'
import type { Engine } from '../engine.ts'
import { entriesBetween, lastSeal } from './audit-seal.ts'
import { lastEntry } from './content-removal.ts'

/** So often it is looked for more while somebody waits; once for all who do. */
const lookEveryMs = 100
/** For transactions that keep what was committed after them from being settled. */
const patienceMs = 250
const settleEveryMs = 5
const keptAtMost = 500

interface Asked {
  ask: Engine['ask']
  stableOffset(): MaybePromise<number>
}

interface Waiter {
  after: number
  wake(): void
}

/**
 * The journal as it is read from its beginning to its end by those who follow it. Nothing is shown of it before all that
 * comes earlier is there, so that whoever has read up to a number has missed nothing before it.
 */
export class AuditFeed {
  readonly #asked: Asked
  /** All up to this number is there. */
  #stableOffset = 0
  /** The entries after `#keptAfter` and up to `#keptUpTo`, for all who follow. */
  #kept: StoredEntry[] = []
  #keptAfter = 0
  #keptUpTo = 0
  #settling: Promise<void> | undefined
  readonly #waiters = new Set<Waiter>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  constructor(asked: Asked) {
    this.#asked = asked
  }

  /** The number up to which all is there; what was committed before it is asked is in it, or will be in a moment. */
  async advance(): Promise<number> {
    const last = await this.lastOffset()
    // A journal that is younger than what was read of it.
    if (last < this.#stableOffset) this.#forget(last)
    const deadlineMs = performance.now() + patienceMs
    while (this.#stableOffset < last && performance.now() < deadlineMs) {
      await this.#settle(last)
      if (this.#stableOffset < last) await new Promise((resolve) => setTimeout(resolve, settleEveryMs))
    }
    // A node that could not tell since it started: whatever is sealed was settled before.
    if (this.#stableOffset === 0 && last > 0) this.#stableOffset = Math.min(last, (await lastSeal(this.#asked)).last)
    return this.#stableOffset
  }

  lastOffset(): Promise<number> {
    return lastEntry(this.#asked)
  }

  /** In order, of those that are settled. */
  async entriesAfter(seq: number, upTo: number, atMost: number): Promise<StoredEntry[]> {
    if (seq < this.#keptAfter || upTo > this.#keptUpTo) return entriesBetween(this.#asked, seq, upTo, atMost)
    const first = this.#kept.findLastIndex((entry) => entry.seq <= seq) + 1
    return this.#kept.slice(first, first + atMost).filter((entry) => entry.seq <= upTo)
  }

  /** Resolves when all up to a number after this one is there, or when it is no longer waited for. */
  waitForEntriesAfter(seq: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const waiter = { after: seq, wake: () => leave() }
      const leave = () => {
        signal.removeEventListener('abort', leave)
        this.#waiters.delete(waiter)
        if (this.#waiters.size === 0) this.#rest()
        resolve()
      }
      signal.addEventListener('abort', leave)
      this.#waiters.add(waiter)
      this.#timer ??= setInterval(() => void this.#look(), lookEveryMs).unref()
    })
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** A look that fails is made good by the next one. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const upTo = await this.advance()
      await this.#keepUpTo(upTo)
      for (const waiter of this.#waiters) if (waiter.after < upTo) waiter.wake()
    } catch {
    } finally {
      this.#isLooking = false
    }
  }

  async #keepUpTo(upTo: number): Promise<void> {
    if (upTo <= this.#keptUpTo) return
    const found = await entriesBetween(this.#asked, this.#keptUpTo, upTo, keptAtMost + 1)
    // What was kept before is of another journal then.
    const isRestored = found.some(({ action }) => action === 'database.restore')
    if (isRestored || found.length > keptAtMost) return this.#keepNothingBefore(upTo)
    this.#kept.push(...found)
    const surplus = this.#kept.splice(0, Math.max(0, this.#kept.length - keptAtMost))
    this.#keptAfter = surplus.at(-1)?.seq ?? this.#keptAfter
    this.#keptUpTo = upTo
  }

  #keepNothingBefore(seq: number): void {
    this.#kept = []
    this.#keptAfter = seq
    this.#keptUpTo = seq
  }

  #forget(last: number): void {
    this.#stableOffset = 0
    this.#keepNothingBefore(last)
  }

  /** Numbers of what was taken back count for nothing. */
  #settle(last: number): Promise<void> {
    const settle = async () => {
      this.#stableOffset = Math.max(this.#stableOffset, Math.min(last, await this.#asked.stableOffset()))
    }
    this.#settling ??= settle().finally(() => {
      this.#settling = undefined
    })
    return this.#settling
  }
}
