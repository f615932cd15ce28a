import type { StoredEntry } from '../../domain/audit/audit-seal.ts'
import type { MaybePromise } from '../../domain/maybe.ts'
import type { Engine } from '../engine.ts'
import { lastOffset } from './audit.ts'
import { findRoot } from './audit-root.ts'
import { entriesBetween, lastSeal } from './audit-seal.ts'

/** How often the audit log is polled. One timer serves all waiting consumers, and runs only while there are any. */
const pollEveryMs = 100
/** How long `advance` waits for open transactions that could still add entries below the newest one. */
const advanceTimeoutMs = 250
const retryEveryMs = 5
const maxCached = 500

interface Source {
  ask: Engine['ask']
  stableOffset(): MaybePromise<number>
}

interface Waiter {
  after: number
  wake(): void
}

/**
 * Delivers the audit log in order to events and webhooks, up to the stable offset: so a consumer that has read up to a
 * number has missed no entry below it. The newest entries are cached, since all consumers read the same ones.
 */
export class AuditFeed {
  readonly #source: Source
  #stableOffset = 0
  #cached: StoredEntry[] = []
  #cachedAfter = 0
  #cachedUpTo = 0
  #reading: Promise<void> | undefined
  readonly #waiters = new Set<Waiter>()
  #timer: NodeJS.Timeout | undefined
  #isPolling = false

  constructor(source: Source) {
    this.#source = source
  }

  /**
   * Advances the stable offset towards the newest entry, and returns it. All entries committed before the call are then
   * at or below it, unless an earlier transaction stays open for longer than `advanceTimeoutMs`.
   */
  async advance(): Promise<number> {
    const last = await this.lastOffset()
    // The log became shorter because a backup with fewer entries was restored.
    if (last < this.#stableOffset) this.#reset(last)
    const deadlineMs = performance.now() + advanceTimeoutMs
    while (this.#stableOffset < last && performance.now() < deadlineMs) {
      await this.#readStableOffset(last)
      if (this.#stableOffset < last) await new Promise((resolve) => setTimeout(resolve, retryEveryMs))
    }
    // Transactions have stayed open since the start of this process, so that no stable offset was found. The last entry
    // of the newest seal (hash over entries) serves instead, since only entries up to a stable offset are sealed.
    if (this.#stableOffset === 0 && last > 0) {
      this.#stableOffset = Math.min(last, (await lastSeal(this.#source)).last)
    }
    return this.#stableOffset
  }

  /** Returns the number of the newest visible entry. Open transactions may still add entries with lower numbers. */
  lastOffset(): Promise<number> {
    return lastOffset(this.#source)
  }

  /**
   * Returns the number of the last entry that was removed with old months; undefined if none was. A removal increases
   * it before it deletes entries: a reader that calls this after it has read knows whether entries were missing.
   */
  async removedOffset(): Promise<number | undefined> {
    const root = await findRoot(this.#source)
    return root.number === 0 ? undefined : root.last
  }

  /** Returns entries above `seq`. If `upTo` exceeds what `advance` returned, open transactions' entries are missed. */
  async entriesAfter(seq: number, upTo: number, limit: number): Promise<StoredEntry[]> {
    if (seq < this.#cachedAfter || upTo > this.#cachedUpTo) return entriesBetween(this.#source, seq, upTo, limit)
    const first = this.#cached.findLastIndex((entry) => entry.seq <= seq) + 1
    return this.#cached.slice(first, first + limit).filter((entry) => entry.seq <= upTo)
  }

  waitForEntriesAfter(seq: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const waiter = { after: seq, wake: () => stop() }
      const stop = () => {
        signal.removeEventListener('abort', stop)
        this.#waiters.delete(waiter)
        if (this.#waiters.size === 0) this.#stopPolling()
        resolve()
      }
      signal.addEventListener('abort', stop)
      this.#waiters.add(waiter)
      this.#timer ??= setInterval(() => void this.#poll(), pollEveryMs).unref()
    })
  }

  #stopPolling(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Wakes the consumers with new entries. After a failure, the next tick tries again. */
  async #poll(): Promise<void> {
    if (this.#isPolling) return
    this.#isPolling = true
    try {
      const upTo = await this.advance()
      await this.#cacheUpTo(upTo)
      for (const waiter of this.#waiters) if (waiter.after < upTo) waiter.wake()
    } catch {
    } finally {
      this.#isPolling = false
    }
  }

  async #cacheUpTo(upTo: number): Promise<void> {
    if (upTo <= this.#cachedUpTo) return
    const found = await entriesBetween(this.#source, this.#cachedUpTo, upTo, maxCached + 1)
    // A restored backup replaces the log, so the cached entries may no longer be those of the database.
    const isRestored = found.some(({ action }) => action === 'database.restore')
    if (isRestored || found.length > maxCached) return this.#clearCache(upTo)
    this.#cached.push(...found)
    const evicted = this.#cached.splice(0, Math.max(0, this.#cached.length - maxCached))
    this.#cachedAfter = evicted.at(-1)?.seq ?? this.#cachedAfter
    this.#cachedUpTo = upTo
  }

  #clearCache(seq: number): void {
    this.#cached = []
    this.#cachedAfter = seq
    this.#cachedUpTo = seq
  }

  #reset(last: number): void {
    this.#stableOffset = 0
    this.#clearCache(last)
  }

  /**
   * Reads the stable offset, with one query for parallel calls. Limited to `last`: higher numbers may be rolled back.
   */
  #readStableOffset(last: number): Promise<void> {
    const read = async () => {
      this.#stableOffset = Math.max(this.#stableOffset, Math.min(last, await this.#source.stableOffset()))
    }
    this.#reading ??= read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }
}
