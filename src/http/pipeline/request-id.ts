import { randomUUID } from 'node:crypto'

const usable = /^[A-Za-z0-9._-]{1,128}$/

/** Returns the X-Request-Id of the caller if it is safe to log and to return, otherwise a new id. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && usable.test(given) ? given : newRequestId()
}

const prefix = randomUUID().slice(0, 24)
let requests = 0

/** Returns a random prefix and a counter: as unique as a UUID, but costs no random number per request. */
function newRequestId(): string {
  requests++
  return prefix + requests.toString(16).padStart(12, '0')
}
