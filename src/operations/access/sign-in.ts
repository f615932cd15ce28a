import type { OpenIdIdentity } from '../../domain/access/openid.ts'
import { normalEmail, type Operator } from '../../domain/access/operator.ts'
import { unmatchableHash } from '../../domain/access/password.ts'
import { hashSecret, newPlainSecret } from '../../domain/access/token.ts'
import type { Actor } from '../../domain/audit/audit.ts'
import { newId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nowIso } from '../../domain/time.ts'
import { findOperator, findOperatorByEmail } from '../../storage/access/operator.ts'
import { insertSession, type OperatorSession } from '../../storage/access/operator-session.ts'
import { consumeLink, consumeState, insertLink } from '../../storage/access/sign-in.ts'
import { recordAudit } from '../../storage/audit/audit.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { sessionEnd } from './operator-session.ts'
import { isPassword } from './password-queue.ts'
import { verifyAttempt } from './sign-in-throttle.ts'

export interface ClientInfo {
  address: string | null
  agent: string | null
  requestId: string | null
}

/** A new session with the secret for its cookie. The database stores only the secret's hash. */
export interface NewSession {
  operator: Operator
  session: OperatorSession
  secret: string
}

export async function signInWithPassword(
  db: Db,
  { email, password }: { email: string; password: string },
  client: ClientInfo,
): Promise<NewSession> {
  const found = await db.read((tx) => findOperatorByEmail(tx, email))
  const hash = found?.password ?? unmatchableHash
  const isRight = async () => (await isPassword(password, hash)) && found?.operator.disabledAt === null
  const session = await verifyAttempt(db, { email, address: client.address }, isRight, async (tx) => {
    const current = await findOperatorByEmail(tx, email)
    // Checks password and account again, because they may have changed while the attempt waited in the queue.
    if (current?.password !== hash || current.operator.disabledAt !== null) throw wrongPassword()
    return createSession(tx, current.operator, client, 'password')
  })
  if (session === undefined) throw wrongPassword()
  return session
}

function wrongPassword(): Refusal {
  return new Refusal('sign_in_refused', 'The e-mail address or the password is incorrect.')
}

export function signInWithLink(db: Db, secret: string, client: ClientInfo): Promise<NewSession> {
  return db.write(async (tx) => {
    const id = await consumeLink(tx, hashSecret(secret), nowIso())
    const operator = id === undefined ? undefined : await findOperator(tx, id)
    if (operator === undefined || operator.disabledAt !== null) {
      throw new Refusal(
        'sign_in_refused',
        'This link has been used or has expired. Ask an administrator for a new one.',
      )
    }
    return createSession(tx, operator, client, 'link')
  })
}

/**
 * `spent` has the `state` parameter of the provider's redirect. All nodes together accept each `state` only once, so
 * that a stolen redirect cannot be used again.
 */
export function signInWithProvider(
  db: Db,
  { email, isVerified }: OpenIdIdentity,
  spent: { state: string; until: string },
  client: ClientInfo,
): Promise<NewSession> {
  return db.write(async (tx) => {
    if (!(await consumeState(tx, hashSecret(spent.state), spent.until))) {
      throw new Refusal('single_sign_on_failed', 'This sign-in is already complete: start a new one.')
    }
    if (!isVerified) throw new Refusal('sign_in_refused', 'The provider has not verified your e-mail address.')
    const { operator } = (await findOperatorByEmail(tx, normalEmail(email))) ?? {}
    if (operator === undefined) {
      throw new Refusal('sign_in_refused', 'No operator has your e-mail address: ask an administrator.')
    }
    if (operator.disabledAt !== null)
      throw new Refusal('sign_in_refused', 'Your account is disabled: ask an administrator.')
    return createSession(tx, operator, client, 'oidc')
  })
}

async function createSession(tx: Tx, operator: Operator, client: ClientInfo, way: string): Promise<NewSession> {
  const at = nowIso()
  const { secret, hash } = newPlainSecret()
  const { address, agent } = client
  const times = { createdAt: at, lastUsedAt: at, expiresAt: sessionEnd(at, at) }
  const session = { id: newId(), operator: operator.id, ...times, address, agent }
  await insertSession(tx, session, hash)
  const actor: Actor = { kind: 'operator', name: operator.email, token: null, requestId: client.requestId, address }
  recordAudit(tx, { at, actor, action: 'operator.sign_in', subject: operator.id, detail: { way } })
  return { operator, session, secret }
}

const linkMinutes = 60

/** Creates the secret of a single-use sign-in link, which expires after an hour. */
export function createSignInLink(
  db: Db,
  actor: Actor,
  operator: string,
): Promise<{ secret: string; expiresAt: string }> {
  return db.write(async (tx) => {
    if ((await findOperator(tx, operator)) === undefined) {
      throw new Refusal('operator_not_found', 'There is no operator with this id.')
    }
    const { secret, hash } = newPlainSecret()
    const expiresAt = new Date(Date.now() + linkMinutes * 60_000).toISOString()
    await insertLink(tx, hash, operator, expiresAt)
    recordAudit(tx, { actor, action: 'operator.link', subject: operator, detail: { expires_at: expiresAt } })
    return { secret, expiresAt }
  })
}
