/** A line of the request log: a request to `/v1`, without its body, query string and secrets. */
export interface LoggedRequest {
  seq: number
  at: string
  partner: string | null
  token: string | null
  method: string
  /** The pattern of the route; null when no route matched. */
  route: string | null
  facility: string | null
  area: string | null
  status: number
  /** The code of the refusal; null when the request was not refused. */
  code: string | null
  detail: string | null
  durationUs: number
  requestId: string
  address: string | null
}

/** The codes of refusals of requests whose facility may not exist. */
export const codesOfUnknownFacility = ['facility_not_granted', 'facility_not_found']

export function namesUnknownFacility({ code }: Pick<LoggedRequest, 'code'>): boolean {
  return code !== null && codesOfUnknownFacility.includes(code)
}

/** Returns whether a request was refused because its area does not exist, or is in a facility hidden from the partner. */
export function namesUnknownArea({ code }: Pick<LoggedRequest, 'code'>): boolean {
  return code === 'area_not_found'
}

export interface ShownRequest extends LoggedRequest {
  /** Whether the facility of the request exists; null when the request names none. */
  facilityExists: boolean | null
  /** Whether the area of the request exists; null when the request names none. */
  roomExists: boolean | null
}

/** The number of requests in one minute, by partner and `kind`: the HTTP status, or the code of the refusal. */
export interface RequestCount<Kind> {
  minute: string
  /** The id of the partner; empty when the request was not authenticated. */
  partner: string
  kind: Kind
  requests: number
  durationUs: number
  slowestUs: number
}
