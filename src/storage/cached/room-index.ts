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
  /** Changes with every invalidation: what was loaded before one is not cached after it. */
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

  /** Returns the facility from the cache. */
  get(fullId: string): CachedFacility | undefined {
    const facility = this.#rooms.get(fullId)
    if (facility === undefined || !this.#facilities.has(facility.idExternal, facility)) return undefined
    this.#hits++
    return facility
  }

  /**
   * Loads the facility of a room for a caller that may see it. Whether there is a room that must not be seen shows in
   * nothing, its time included: it is never served from the cache, and one that does not exist takes the same steps.
   */
  load(fullId: string, isVisible: (facility: string) => boolean): MaybePromise<CachedFacility | undefined> {
    this.#misses++
    const generation = this.#generation
    return andThen(loadFacilityOfRoom(this.#ask, fullId), (found) => {
      // Asked of whatever was found, since that takes its time as well.
      if (found === undefined || !isVisible(found.facility) || !found.isExact) return undefined
      return andThen(this.#facilities.find(found.facility), (facility) => {
        if (facility !== undefined && generation === this.#generation) this.#rooms.set(copyText(fullId), facility)
        return facility
      })
    })
  }

  /** Rooms of some facility came or went. Entries of a facility that was invalidated are stale with it. */
  invalidateLoads(): void {
    this.#generation++
  }

  clear(): void {
    this.#generation++
    this.#rooms.clear()
  }
}
