/** One request of `/v1` that was answered: no body, no query, no secret. */
export interface LoggedRequest {
  seq: number
  at: string
  partner: string | null
  token: string | null
  method: string
  /** The route's pattern; nothing where the path has none. */
  route: string | null
  facility: string | null
  area: string | null
  status: number
  /** Why it was refused. */
  code: string | null
  detail: string | null
  durationUs: number
  requestId: string
  address: string | null
}

/** Refused because of the facility: only such an entry can name one that does not exist. */
export const codesOfUnknownFacility = ['facility_not_granted', 'facility_not_found']

export function namesUnknownFacility({ code }: Pick<LoggedRequest, 'code'>): boolean {
  return code !== null && codesOfUnknownFacility.includes(code)
}

/** The refused requests of one minute, partner and reason. */
export interface RefusalCount {
  minute: string
  /** Empty where no partner was recognized. */
  partner: string
  code: string
  requests: number
}

/** An entry as it is shown. */
export interface ShownRequest extends LoggedRequest {
  /** Whether there is such a facility; null where the path named none that could be kept. */
  facilityExists: boolean | null
}

/** The requests of one minute, partner and status. */
export interface RequestCount {
  /** When the minute began. */
  minute: string
  /** Empty where nobody was recognised. */
  partner: string
  status: number
  requests: number
  durationUs: number
  slowestUs: number
}
