import type { Scope } from '../../domain/audit/audit.ts'
import { type FacilityResponse, facilityResponses } from './response-key.ts'

/**
 * What a change in a facility can make stale: a response about the facility, the facility lists (`lists`) and the
 * grants of all partners, or the cached facility with its rooms (`rooms`).
 */
export type Stale = FacilityResponse | 'lists' | 'rooms' | 'grants'

/**
 * Maps the scope of an audit entry's action (`auditActions`) to what becomes stale in the entry's facility. If the
 * entry names a partner, that partner, its tokens and its facility list become stale as well, except for the scope
 * `nothing`.
 */
export const staleAfter: Record<Exclude<Scope, 'everything'>, readonly Stale[]> = {
  nothing: [],
  room: ['areas'],
  // The response about a facility includes the number of entries of its autocomplete list.
  list: ['list', 'facility'],
  property: ['facility', 'lists'],
  facility: [...facilityResponses, 'lists', 'rooms'],
  // The grants on a deleted facility are deleted with it. They must not apply to a later facility with the same id.
  facility_gone: [...facilityResponses, 'lists', 'rooms', 'grants'],
  partner: [],
  operators: [],
}
