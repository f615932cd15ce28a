import { randomUUID } from 'node:crypto'

const usable = /^[A-Za-z0-9._-]{1,128}$/

/** Returns the caller's X-Request-Id when it is safe to log and echo, a new id otherwise. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && usable.test(given) ? given : newRequestId()
}

/** The random part of this process's ids: a UUID without its last 12 digits. */
const prefix = randomUUID().slice(0, 24)
let requests = 0

/**
 * Returns the random prefix with a counter. It is as unlikely to repeat as a UUID, without a random number per request.
 */
function newRequestId(): string {
  requests++
  return prefix + requests.toString(16).padStart(12, '0')
}
