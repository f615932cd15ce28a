import type { IncomingHttpHeaders } from 'node:http'
import { hasRole, type Operator, type Role } from '../../domain/access/operator.ts'
import { Refusal } from '../../domain/refusal.ts'
import { operatorOfKey, operatorOfSession } from '../../operations/access/operator-session.ts'
import type { OperatorSession } from '../../storage/access/operator-session.ts'
import type { Db } from '../../storage/database.ts'
import { bearerIn } from '../pipeline/bearer.ts'
import { sessionSecretIn } from './cookie.ts'

interface Authenticated {
  operator: Operator
  session: OperatorSession | undefined
  /** The id of the operator key; null for the session of a browser. */
  key: string | null
}

interface Credentials {
  method: string
  headers: IncomingHttpHeaders
  address: string | undefined
  isEncrypted: boolean
}

/** Authenticates by key or session cookie. With a cookie, changes are accepted only from this installation's pages. */
export async function operatorOf(
  db: Db,
  { method, headers, address = '', isEncrypted }: Credentials,
): Promise<Authenticated> {
  if (headers.authorization !== undefined) {
    const secret = bearerIn(headers)
    if (secret === undefined) throw new Refusal('key_invalid', 'Send the header "Authorization: Bearer atk_…".')
    const { key, operator } = await operatorOfKey(db, secret, address)
    return { operator, session: undefined, key: key.id }
  }
  const secret = sessionSecretIn(headers.cookie)
  if (secret === undefined) throw new Refusal('sign_in_required', 'Sign in, or send an operator key.')
  if (method !== 'GET' && method !== 'HEAD') assertSameOrigin(headers, isEncrypted)
  return { ...(await operatorOfSession(db, secret)), key: null }
}

/**
 * Protects against CSRF by `Sec-Fetch-Site` and `Origin`, which scripts cannot forge. SameSite is not enough: it allows
 * other ports and subdomains. Without Sec-Fetch-Site, the scheme of Origin must be that of this connection.
 */
function assertSameOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders, isEncrypted: boolean): void {
  const page = URL.parse(origin ?? '')
  const isFromHost = page !== null && page.host !== '' && page.host === host
  const scheme = isEncrypted ? 'https:' : 'http:'
  const isOwn = site === undefined ? isFromHost && page.protocol === scheme : origin === undefined || isFromHost
  if (isOwn && (site === undefined || site === 'same-origin')) return
  throw new Refusal(
    'origin_refused',
    'The request comes from a page of another site, or does not name its origin. Use the console, or an operator key.',
  )
}

export function requireRole({ role }: Operator, least: Role): void {
  if (hasRole(role, least)) return
  throw new Refusal('role_insufficient', `This needs the role ${least}; yours is ${role}.`, {
    required: { role: least },
  })
}
