import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const usable = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's own X-Request-Id where it is harmless, a new one otherwise. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && usable.test(given) ? given : randomUUID()
}
