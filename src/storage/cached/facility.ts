import { andThen, type MaybePromise } from '../../domain/maybe.ts'
import type { Engine } from '../engine.ts'
import { statement } from '../statement.ts'

/**
 * The fields of a facility that most requests need. Immutable: when the facility changes, this object is dropped from
 * the cache, and a new one is loaded.
 */
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
 * What a search for a room found: the facility of the room with the requested full id (`facility-area`), or, if there
 * is no such room, that of the next or last room in the order of full ids. `isExact`: the requested room exists.
 */
export interface FoundRoom {
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
 * Finds the facility of a room by its full id (`facility-area`). If the room does not exist, the query reads another
 * room instead, the next or the last, and so takes the same time: a caller cannot tell by the response time whether a
 * hidden room exists.
 */
export function loadFacilityOfRoom(ask: Engine['ask'], fullId: string): MaybePromise<FoundRoom | undefined> {
  return andThen(ask(facilityOfRoom, fullId), ([row]) => {
    return row && { facility: row.facility, isExact: row.is_exact === 1 }
  })
}
