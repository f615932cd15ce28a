import { andThen, type MaybePromise } from '../../domain/maybe.ts'
import type { Engine } from '../engine.ts'
import { statement } from '../statement.ts'

/** A facility as requests need it. Immutable: a change invalidates the entry, and the facility is loaded again. */
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

/** The facility of the first room at or after a full id, in the order of full ids. */
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
 * Loads the facility that a room belongs to, in constant time: for a room that does not exist, the query finds the next
 * one, or the last. Otherwise a caller could tell hidden rooms from missing ones by the response time.
 */
export function loadFacilityOfRoom(ask: Engine['ask'], fullId: string): MaybePromise<FoundRoom | undefined> {
  return andThen(ask(facilityOfRoom, fullId), ([row]) => {
    return row && { facility: row.facility, isExact: row.is_exact === 1 }
  })
}
