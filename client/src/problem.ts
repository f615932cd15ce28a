import type { Problem as Body } from './schema.ts'

/** A refusal, as the service explains it (RFC 9457). Decide on `code`; `detail` is for people. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** A stable word. The list can grow: have a branch for the others. */
  readonly code: Body['code'] | (string & {})
  readonly title: string
  readonly detail: string
  /** To tell the operators, who find the request in their log by it. */
  readonly requestId: string | undefined
  /** What is wrong with the body, and where. */
  readonly errors: NonNullable<Body['errors']>
  /** With `not_granted`: the grant that is missing. */
  readonly required: Body['required']
  /** With 429 and 503: when it is worth another try. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: Partial<Body>, headers: Headers) {
    super(`${status} ${body.code ?? 'unknown'}: ${body.detail ?? 'The answer has no explanation.'}`)
    this.status = status
    this.code = body.code ?? 'unknown'
    this.title = body.title ?? ''
    this.detail = body.detail ?? ''
    this.requestId = body.request_id ?? headers.get('x-request-id') ?? undefined
    this.errors = body.errors ?? []
    this.required = body.required
    this.retryAfterSeconds = secondsUntil(headers.get('retry-after'))
  }
}

/** No answer came: the network is away, or the time is over. Whether a change was carried out is not known. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** A proxy on the way may name a date instead of seconds. */
function secondsUntil(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
