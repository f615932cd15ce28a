import type { StoredEntry } from '../../domain/audit/audit-seal.ts'
import type { MaybePromise } from '../../domain/maybe.ts'
import type { Engine } from '../engine.ts'
import { lastOffset } from './audit.ts'
import { findRoot } from './audit-root.ts'
import { entriesBetween, lastSeal } from './audit-seal.ts'

/** One timer polls for all waiters, and only while there are any. */
const pollEveryMs = 100
/** How long `advance` waits for open transactions that hold up the stable offset. */
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
 * Delivers the audit log in order to its consumers, which are events and webhooks. Invariant: an entry is delivered only
 * when no entry with a lower number can still be committed (the stable offset), so that a consumer whose cursor is at a
 * number has seen all entries up to it. The newest entries are cached, as all consumers read the same ones.
 */
export class AuditFeed {
  readonly #source: Source
  #stableOffset = 0
  /** The entries after `#cachedAfter`, up to `#cachedUpTo`. */
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
   * Advances the stable offset towards the newest entry and returns it. Entries committed before the call are included
   * unless an open transaction holds them up for longer than the timeout.
   */
  async advance(): Promise<number> {
    const last = await this.lastOffset()
    // The log became shorter: a backup was restored, whose log ends earlier.
    if (last < this.#stableOffset) this.#reset(last)
    const deadlineMs = performance.now() + advanceTimeoutMs
    while (this.#stableOffset < last && performance.now() < deadlineMs) {
      await this.#readStableOffset(last)
      if (this.#stableOffset < last) await new Promise((resolve) => setTimeout(resolve, retryEveryMs))
    }
    // The offset is not known since the node started. Sealed entries are stable, since only those below the stable
    // offset are sealed.
    if (this.#stableOffset === 0 && last > 0) {
      this.#stableOffset = Math.min(last, (await lastSeal(this.#source)).last)
    }
    return this.#stableOffset
  }

  /** Returns the number of the newest visible entry, which may be beyond the stable offset. */
  lastOffset(): Promise<number> {
    return lastOffset(this.#source)
  }

  /**
   * Returns the number of the last entry that was removed from the log, undefined when none was. Asked after reading
   * entries, it tells whether some were missing: entries are deleted only after this number has moved past them.
   */
  async removedOffset(): Promise<number | undefined> {
    const root = await findRoot(this.#source)
    return root.number === 0 ? undefined : root.last
  }

  /** Returns entries in order. `upTo` must not exceed the stable offset. */
  async entriesAfter(seq: number, upTo: number, limit: number): Promise<StoredEntry[]> {
    if (seq < this.#cachedAfter || upTo > this.#cachedUpTo) return entriesBetween(this.#source, seq, upTo, limit)
    const first = this.#cached.findLastIndex((entry) => entry.seq <= seq) + 1
    return this.#cached.slice(first, first + limit).filter((entry) => entry.seq <= upTo)
  }

  /** Resolves when the stable offset exceeds `seq`, or when the wait is aborted. */
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

  /** Polls, and wakes the waiters for which there are new entries. A poll that fails is retried on the next tick. */
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
    // A restore replaces the log, so the cached entries are no longer those of the database.
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
   * Reads the stable offset (single-flight). Capped at `last`, since numbers of rolled-back transactions have no
   * entries.
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
