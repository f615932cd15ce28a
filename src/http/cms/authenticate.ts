import type { IncomingHttpHeaders } from 'node:http'
import { hasRole, type Operator, type Role } from '../../domain/access/operator.ts'
import { Refusal } from '../../domain/refusal.ts'
import { operatorOfKey, operatorOfSession } from '../../operations/access/operator-session.ts'
import type { OperatorSession } from '../../storage/access/operator-session.ts'
import type { Db } from '../../storage/database.ts'
import { bearerIn } from '../pipeline/bearer.ts'
import { sessionSecretIn } from './cookie.ts'

export interface Authenticated {
  operator: Operator
  session: OperatorSession | undefined
  /** The id of the key that was used. */
  key: string | null
}

interface Asking {
  method: string
  headers: IncomingHttpHeaders
  address: string | undefined
  /** Whether the caller's own connection is. */
  isEncrypted: boolean
}

/** A key in the Authorization header, or the cookie of a session; the cookie only for requests of our own pages. */
export async function operatorOf(
  db: Db,
  { method, headers, address = '', isEncrypted }: Asking,
): Promise<Authenticated> {
  if (headers.authorization !== undefined) {
    const secret = bearerIn(headers)
    if (secret === undefined) throw new Refusal('key_invalid', 'Send the header "Authorization: Bearer atk_…".')
    const { key, operator } = await operatorOfKey(db, secret, address)
    return { operator, session: undefined, key: key.id }
  }
  const secret = sessionSecretIn(headers.cookie)
  if (secret === undefined) throw new Refusal('sign_in_required', 'Sign in, or send an operator key.')
  if (method !== 'GET' && method !== 'HEAD') demandOwnOrigin(headers, isEncrypted)
  return { ...(await operatorOfSession(db, secret)), key: null }
}

/**
 * A browser says which site's page is asking, and no page can change what it says. SameSite alone would let other
 * ports and subdomains in. "same-origin" covers the scheme too, which a proxy in front may not have passed on; without
 * it the scheme must be that of this connection.
 */
function demandOwnOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders, isEncrypted: boolean): void {
  const page = URL.parse(origin ?? '')
  const isFromHost = page !== null && page.host !== '' && page.host === host
  const scheme = isEncrypted ? 'https:' : 'http:'
  const isOwn = site === undefined ? isFromHost && page.protocol === scheme : origin === undefined || isFromHost
  if (isOwn && (site === undefined || site === 'same-origin')) return
  throw new Refusal('origin_refused', 'This request came from a page of another site, or does not say from which.')
}

export function demandRole({ role }: Operator, least: Role): void {
  if (hasRole(role, least)) return
  throw new Refusal('role_insufficient', `This needs the role ${least}; yours is ${role}.`, {
    required: { role: least },
  })
}
