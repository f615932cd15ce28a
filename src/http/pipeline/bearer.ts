import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../../domain/refusal.ts'

const bearer = /^Bearer +(\S+) *$/i

/** Returns the secret in the Authorization header, undefined when there is none (RFC 6750, 2.1). */
export function bearerIn({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization === undefined ? undefined : bearer.exec(authorization)?.[1]
}

/** Returns the secret or throws `token_missing`: partners have no other way to authenticate. */
export function bearerSecret(headers: IncomingHttpHeaders): string {
  const secret = bearerIn(headers)
  if (secret === undefined) throw new Refusal('token_missing', 'Send the header "Authorization: Bearer <token>".')
  return secret
}
