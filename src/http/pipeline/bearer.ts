import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../../domain/refusal.ts'

const bearer = /^Bearer +(\S+) *$/i

/** Returns the bearer secret of the Authorization header (RFC 6750, section 2.1), undefined if it has none. */
export function bearerIn({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization === undefined ? undefined : bearer.exec(authorization)?.[1]
}

export function bearerSecret(headers: IncomingHttpHeaders): string {
  const secret = bearerIn(headers)
  if (secret === undefined) throw new Refusal('token_missing', 'Send the header "Authorization: Bearer <token>".')
  return secret
}
