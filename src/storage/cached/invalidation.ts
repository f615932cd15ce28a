import type { Scope } from '../../domain/audit/audit.ts'
import { type FacilityResponse, facilityResponses } from './response-key.ts'

/**
 * What can become stale with a facility: a response about it, the lists of facilities that show it, the facility itself
 * with the rooms it has, and the grants of every partner.
 */
export type Stale = FacilityResponse | 'lists' | 'rooms' | 'grants'

/**
 * What a committed change in a facility makes stale, by the scope of its action (`auditActions`). A change of a partner
 * makes the partner, its tokens and its list of facilities stale, whatever the scope.
 */
export const staleAfter: Record<Exclude<Scope, 'everything'>, readonly Stale[]> = {
  nothing: [],
  room: ['areas'],
  // The facility shows how long its list is.
  list: ['list', 'facility'],
  property: ['facility', 'lists'],
  facility: [...facilityResponses, 'lists', 'rooms'],
  // Grants on it went with it: a facility that is created again under the same id is nobody's.
  facility_gone: [...facilityResponses, 'lists', 'rooms', 'grants'],
  partner: [],
  operators: [],
}
