import type { LoadingCache } from '../../cache/loading-cache.ts'
import { LruCache } from '../../cache/lru-cache.ts'
import type { CacheMetrics } from '../../cache/metrics.ts'
import { andThen, type MaybePromise } from '../../domain/maybe.ts'
import { copyText } from '../../domain/text.ts'
import type { Engine } from '../engine.ts'
import { type CachedFacility, loadFacilityOfRoom } from './facility.ts'

const roomBytes = 250

/** Caches which facility a room belongs to, by the room's full id. */
export class RoomIndex {
  readonly #ask: Engine['ask']
  readonly #facilities: LoadingCache<CachedFacility>
  readonly #rooms: LruCache<CachedFacility>
  /** Incremented by every invalidation. A load that began in an earlier generation is not cached. */
  #generation = 0
  #hits = 0
  #misses = 0

  constructor(ask: Engine['ask'], facilities: LoadingCache<CachedFacility>, maxBytes: number) {
    this.#ask = ask
    this.#facilities = facilities
    this.#rooms = new LruCache({ maxBytes, bytesOf: (id) => roomBytes + id.length })
  }

  get metrics(): CacheMetrics {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#rooms.bytes, entries: this.#rooms.size }
  }

  /** Returns the facility if it is cached and still current. */
  get(fullId: string): CachedFacility | undefined {
    const facility = this.#rooms.get(fullId)
    if (facility === undefined || !this.#facilities.has(facility.idExternal, facility)) return undefined
    this.#hits++
    return facility
  }

  /**
   * Loads and caches the facility of a room if the caller may see it. Hidden and missing rooms are indistinguishable, also
   * by timing: neither is ever cached, and both take the same queries and checks.
   */
  load(fullId: string, isVisible: (facility: string) => boolean): MaybePromise<CachedFacility | undefined> {
    this.#misses++
    const generation = this.#generation
    return andThen(loadFacilityOfRoom(this.#ask, fullId), (found) => {
      // Checks visibility before existence, so that a missing room costs the same check.
      if (found === undefined || !isVisible(found.facility) || !found.isExact) return undefined
      return andThen(this.#facilities.find(found.facility), (facility) => {
        if (facility !== undefined && generation === this.#generation) this.#rooms.set(copyText(fullId), facility)
        return facility
      })
    })
  }

  /** Discards loads under way, after rooms were added or removed. Entries become stale with their facility. */
  invalidateLoads(): void {
    this.#generation++
  }

  clear(): void {
    this.#generation++
    this.#rooms.clear()
  }
}
