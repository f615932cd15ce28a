import type { LoadingCache } from '../../cache/loading-cache.ts'
import { LruCache } from '../../cache/lru-cache.ts'
import type { CacheMetrics } from '../../cache/metrics.ts'
import { andThen, type MaybePromise } from '../../domain/maybe.ts'
import { copyText } from '../../domain/text.ts'
import type { Engine } from '../engine.ts'
import { type CachedFacility, loadFacilityOfRoom } from './facility.ts'

const roomBytes = 250

/** Caches which facility a room belongs to. The key is the room's full id, such as `lyon-01-101`. */
export class RoomIndex {
  readonly #ask: Engine['ask']
  readonly #facilities: LoadingCache<CachedFacility>
  readonly #rooms: LruCache<CachedFacility>
  /** A counter that every invalidation increments. A load that began before the latest increment is not cached. */
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

  /**
   * Returns the room's facility if it is cached and current. The method does not check whether the caller may see the
   * facility.
   */
  get(fullId: string): CachedFacility | undefined {
    const facility = this.#rooms.get(fullId)
    if (facility === undefined || !this.#facilities.has(facility.idExternal, facility)) return undefined
    this.#hits++
    return facility
  }

  /**
   * Loads the facility of a room, and caches it if the caller may see it. Returns undefined, and caches nothing, if the
   * room is hidden from the caller or does not exist. Both cases take the same query and check, so that the caller
   * cannot tell them apart by the response time.
   */
  load(fullId: string, isVisible: (facility: string) => boolean): MaybePromise<CachedFacility | undefined> {
    this.#misses++
    const generation = this.#generation
    return andThen(loadFacilityOfRoom(this.#ask, fullId), (found) => {
      // Checks visibility before existence, so that a missing room takes the same check as a hidden one.
      if (found === undefined || !isVisible(found.facility) || !found.isExact) return undefined
      return andThen(this.#facilities.find(found.facility), (facility) => {
        if (facility !== undefined && generation === this.#generation) this.#rooms.set(copyText(fullId), facility)
        return facility
      })
    })
  }

  /**
   * Called after rooms were added or removed: prevents loads that are still running from being cached. The rooms in the
   * cache need no invalidation, as they become stale together with their cached facility.
   */
  invalidateLoads(): void {
    this.#generation++
  }

  clear(): void {
    this.#generation++
    this.#rooms.clear()
  }
}
