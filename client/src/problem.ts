import type { Problem as Body } from './schema.ts'

/** A problem response (RFC 9457). Branch on `code`; `detail` is for people. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** Stable code. New ones can be added: handle unknown codes. */
  readonly code: Body['code'] | (string & {})
  readonly title: string
  readonly detail: string
  /** Id under which operators find the request in their log. */
  readonly requestId: string | undefined
  /** Faults in the request body with their locations. */
  readonly errors: NonNullable<Body['errors']>
  /** With `not_granted`: the grant that is missing. */
  readonly required: Body['required']
  /** With 429 and 503: delay before a retry. */
  readonly retryAfterSeconds: number | undefined
  /** Whether an earlier attempt of the same call may have been carried out: it got no response, or one of a proxy. */
  hasLostResponse = false

  constructor(status: number, body: Partial<Body>, headers: Headers) {
    super(`${status} ${body.code ?? 'unknown'}: ${body.detail ?? 'The response has no explanation.'}`)
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

/** Returns whether a retry was refused with this code because, it seems, the attempt before had been carried out. */
export function isLateRefusal(failure: unknown, code: Body['code']): boolean {
  return failure instanceof Problem && failure.hasLostResponse && failure.code === code
}

/** No response: network error or timeout. It is unknown whether a change was carried out. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** Parses `Retry-After`, which proxies may send as a date instead of seconds. */
function secondsUntil(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
