import type { Mood } from '../../parts/state-badge.tsx'

export interface LoggedRequest {
  seq: number
  at: string
  partner: string | null
  token: string | null
  method: string
  route: string | null
  facility: string | null
  /** False if no facility has the requested id. */
  facility_exists?: boolean | null
  area: string | null
  /** False if no room has the requested id. */
  room_exists?: boolean | null
  status: number
  code: string | null
  detail: string | null
  duration_ms: number
  request_id: string
  address: string | null
}

/**
 * Returns the real reason of a refusal where its code hides it: a partner does not learn what exists beyond its
 * permissions.
 */
export function reasonOf({ code, facility_exists, room_exists, detail }: LoggedRequest): string | undefined {
  if (code === 'facility_not_granted' && facility_exists === false) return 'facility_not_found'
  const isHidden = room_exists === true && /among the facilities this partner can see/.test(detail ?? '')
  return code === 'area_not_found' && isHidden ? 'area_not_granted' : undefined
}

export function moodOfStatus(status: number): Mood {
  return status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
}
/** Returns the requested path as far as it is logged; ids of unknown objects are not. */
export function pathOf({ route, facility, area }: LoggedRequest): string | undefined {
  const known: Record<string, string | null> = { facilityExternalId: facility, areaExternalId: area }
  const path = route?.replace(/:(\w+)/g, (parameter, name) => {
    const value = known[name]
    return value ? encodeURIComponent(value) : parameter
  })
  return path?.includes('/:') ? undefined : path
}
