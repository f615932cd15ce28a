import type { Scope } from '../../domain/audit/audit.ts'
import { type FacilityResponse, facilityResponses } from './response-key.ts'

/**
 * The kinds of cached data that a change in a facility can make stale: a response about the facility (`facility`,
 * `areas` or `list`), the facility lists of all partners (`lists`), the cached facility and the rooms that refer to it
 * (`rooms`), or all partners with their grants (`grants`).
 */
export type Stale = FacilityResponse | 'lists' | 'rooms' | 'grants'

/**
 * Maps the scope of an audit action (its value in `auditActions`) to the data that becomes stale in the facility which
 * the entry names. Unless the scope is `nothing`, the partner that the entry names, if any, becomes stale as well, with
 * its tokens and its facility list.
 */
export const staleAfter: Record<Exclude<Scope, 'everything'>, readonly Stale[]> = {
  nothing: [],
  room: ['areas'],
  // The response about a facility includes the number of entries of its autocomplete list.
  list: ['list', 'facility'],
  property: ['facility', 'lists'],
  facility: [...facilityResponses, 'lists', 'rooms'],
  // Deleting a facility deletes the grants on it, which must not apply to a later facility with the same external id.
  facility_gone: [...facilityResponses, 'lists', 'rooms', 'grants'],
  partner: [],
  operators: [],
}
