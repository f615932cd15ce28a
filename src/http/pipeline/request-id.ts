import { randomUUID } from 'node:crypto'

const usable = /^[A-Za-z0-9._-]{1,128}$/

/** Returns the caller's own X-Request-Id where it is harmless, a new one otherwise. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && usable.test(given) ? given : newRequestId()
}

/** Of a UUID all but the last part. */
const thisProcess = randomUUID().slice(0, 24)
let requests = 0

/** The process by chance, the request by its number: as unlikely to come twice, and made at once. */
function newRequestId(): string {
  requests++
  return thisProcess + requests.toString(16).padStart(12, '0')
}
