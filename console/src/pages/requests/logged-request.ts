import type { Mood } from '../../parts/state-badge.tsx'

export interface LoggedRequest {
  seq: number
  at: string
  partner: string | null
  token: string | null
  method: string
  route: string | null
  facility: string | null
  /** False where no facility has the id that was asked for. */
  facility_exists?: boolean | null
  area: string | null
  status: number
  code: string | null
  detail: string | null
  duration_ms: number
  request_id: string
  address: string | null
}

export function moodOfStatus(status: number): Mood {
  return status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
}
/** The path it was asked by, as far as the log still knows: a name of something that is not there is not kept. */
export function pathOf({ route, facility, area }: LoggedRequest): string | undefined {
  const known: Record<string, string | null> = { facilityExternalId: facility, areaExternalId: area }
  const path = route?.replace(/:(\w+)/g, (parameter, name) => {
    const value = known[name]
    return value ? encodeURIComponent(value) : parameter
  })
  return path?.includes('/:') ? undefined : path
}
