/** The kinds of work that are measured, as docs/benchmarks.md names them. */
export const works = ['R1', 'R2', 'R3', 'R4', 'R5', 'W1', 'W2', 'W3', 'W4', 'W5', 'MIX', 'COLD'] as const

export type Work = (typeof works)[number]

/** Works measured by repeated requests to a running server. */
export type LoadWork = Exclude<Work, 'COLD'>
export const loadWorks = works.filter((work) => work !== 'COLD')

/** Other servers have no Idempotency-Key. */
export const peerWorks = loadWorks.filter((work) => work !== 'W5')

/** Variants of sending the same work: read by Node's parser, or with the body in a segment of its own. */
export type Way = 'general' | 'split'
/** Works whose requests have a body. */
export const splitWorks = ['W1', 'W2'] as const

export const workMeaning: Record<Work, string> = {
  R1: 'the list of facilities',
  R2: 'one facility',
  R3: 'its areas',
  R4: 'its autocomplete list',
  R5: 'its areas again, with If-None-Match',
  W1: 'rename a facility',
  W2: 'add a subscription',
  W3: 'delete a subscription',
  W4: 'open and close a room',
  W5: 'W2 with an Idempotency-Key',
  MIX: '95 % R2 and 5 % W1',
  COLD: 'R3 on facilities that were never read before',
}

/** One HTTP request; `path` begins with a slash. */
export interface PlainRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** Target of one request. Indexes start at 0, as in `BenchEstate`. */
export interface Place {
  facility: number
  /** Index within the facility. */
  area: number
  /** A partner with access to the facility. */
  partner: number
  /** Number of previous requests for this target: makes names unique, and W4 open (even) or close (odd). */
  turn: number
  /** R5: the ETag from the R3 response of this target. */
  etag?: string
  /** W3: the id of a subscription in this room. */
  subscription?: string
}
