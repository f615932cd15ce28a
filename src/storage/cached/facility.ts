import { andThen, type MaybePromise } from '../../domain/maybe.ts'
import type { Engine } from '../engine.ts'
import { statement } from '../statement.ts'

/**
 * The fields of a facility that requests need. Immutable: a change invalidates the cached object, and a new one is
 * loaded.
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
 * The facility of the first room whose full id is the wanted one or follows it. `isExact`: the room has the wanted id.
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
 * Finds the facility of a room. For a room that does not exist, the query reads the next room or the last one, so that
 * it takes the same time: otherwise a caller could tell hidden rooms from missing ones by the response time.
 */
export function loadFacilityOfRoom(ask: Engine['ask'], fullId: string): MaybePromise<FoundRoom | undefined> {
  return andThen(ask(facilityOfRoom, fullId), ([row]) => {
    return row && { facility: row.facility, isExact: row.is_exact === 1 }
  })
}
