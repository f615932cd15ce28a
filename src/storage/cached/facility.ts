import type { LoadingCache } from '../../cache/loading-cache.ts'
import { type CacheMetrics, LruCache } from '../../cache/lru-cache.ts'
import { andThen, type MaybePromise } from '../../domain/maybe.ts'
import { copyText } from '../../domain/text.ts'
import type { Engine } from '../engine.ts'
import { statement } from '../statement.ts'

/** Immutable: when the facility changes, the cache drops this object and loads a new one. */
export interface CachedFacility {
  readonly id: number
  readonly idExternal: string
  readonly timezone: string
  readonly roomServices: boolean
}

const find = statement<{ id: number; timezone: string; room_services: number }>(
  'select id, timezone, room_services from facility where id_external = $1',
)

export function loadFacility(ask: Engine['ask'], idExternal: string): MaybePromise<CachedFacility | undefined> {
  return andThen(ask(find, idExternal), ([row]) => {
    return row && { id: row.id, idExternal, timezone: row.timezone, roomServices: row.room_services === 1 }
  })
}

/**
 * The facility of a room. If the room does not exist, `isExact` is false and the facility is that of another room: the
 * query reads one in any case, so that its duration does not show whether the room exists.
 */
interface FoundRoom {
  facility: string
  isExact: boolean
}

const facilityOfRoom = statement<{ facility: string; is_exact: number }>(`
  select f.id_external as facility, case when a.id_external = $1 then 1 else 0 end as is_exact
  from area a join facility f on f.id = a.facility_id
  where a.id_external >= (
    select case when id_external < $1 then id_external else $1 end
    from area where id_external > '' order by id_external desc limit 1)
  order by a.id_external limit 1`)

/**
 * Finds the facility of a room. If the room does not exist, reads the next room by full id (or the last of all), which
 * takes the same time: a caller cannot tell by the response time whether a hidden room exists.
 */
export function loadFacilityOfRoom(ask: Engine['ask'], fullId: string): MaybePromise<FoundRoom | undefined> {
  return andThen(ask(facilityOfRoom, fullId), ([row]) => {
    return row && { facility: row.facility, isExact: row.is_exact === 1 }
  })
}

const roomBytes = 250

/** Caches which facility a room belongs to, by the room's full id. */
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

  /** Returns undefined on a miss. Does not check whether the caller may see the facility. */
  get(fullId: string): CachedFacility | undefined {
    const facility = this.#rooms.get(fullId)
    if (facility === undefined || !this.#facilities.has(facility.idExternal, facility)) return undefined
    this.#hits++
    return facility
  }

  /**
   * Caches the facility if the caller may see it. A hidden and a missing room take the same query and check, so that
   * the caller cannot tell them apart by the response time.
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

  /** Keeps loads in progress out of the cache. Cached rooms become stale together with their cached facility. */
  invalidateLoads(): void {
    this.#generation++
  }

  clear(): void {
    this.#generation++
    this.#rooms.clear()
  }
}
