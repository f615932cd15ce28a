import type { Scope } from '../../domain/audit/audit.ts'
import { type FacilityResponse, facilityResponses } from './response-key.ts'

/**
 * What a change in a facility can make stale: a response about it, all partners' lists of facilities, the cached facility
 * with its rooms, and the grants of all partners.
 */
export type Stale = FacilityResponse | 'lists' | 'rooms' | 'grants'

/**
 * Maps the scope of an action (`auditActions`) to what becomes stale in the facility that the audit entry names. If the
 * entry names a partner, that partner, its tokens and its list of facilities become stale, whatever the scope.
 */
export const staleAfter: Record<Exclude<Scope, 'everything'>, readonly Stale[]> = {
  nothing: [],
  room: ['areas'],
  // The response about a facility includes the length of its list.
  list: ['list', 'facility'],
  property: ['facility', 'lists'],
  facility: [...facilityResponses, 'lists', 'rooms'],
  // Grants are deleted with the facility. They must not apply to another one created later under the same id.
  facility_gone: [...facilityResponses, 'lists', 'rooms', 'grants'],
  partner: [],
  operators: [],
}
