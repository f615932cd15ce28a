import { endAfterRotation, newPublicId, newSecret, sameLifetime, type Token } from '../../domain/access/token.ts'
import { type Actor, type AuditAction, commandLine } from '../../domain/audit/audit.ts'
import { changesBetween, type ValueChange } from '../../domain/audit/audit-detail.ts'
import { created, tokenLifetime, tokenValues } from '../../domain/audit/estate-audit.ts'
import { isSandboxId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nowIso } from '../../domain/time.ts'
import { bumpPartner } from '../../storage/access/access.ts'
import { findPartner } from '../../storage/access/partner.ts'
import { insertToken, listTokens, lockToken, tokenWithHash, updateToken } from '../../storage/access/token.ts'
import { recordAudit } from '../../storage/audit/audit.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import type { Expect } from './operator.ts'

export type TokenDraft = Pick<Token, 'partner' | 'name' | 'expiresAt' | 'allowedRanges'>

/** A new token with its secret, which is returned only here: the database stores only the secret's hash. */
export interface IssuedToken {
  token: Token
  secret: string
}

export function createToken(db: Db, draft: TokenDraft, actor = commandLine): Promise<IssuedToken | undefined> {
  return db.write(async (tx) => {
    const partner = await findPartner(tx, draft.partner)
    if (partner === undefined) return undefined
    const issued = await issue(tx, draft, nowIso())
    record(tx, actor, 'token.create', issued.token, created(tokenValues(draft)))
    return issued
  })
}

export type TokenImport = TokenDraft & { hash: string; rotateBy: string }

/** Adds a token that another system issued. Only the SHA-256 of its secret is known. */
export function importToken(db: Db, draft: TokenImport, actor = commandLine): Promise<Token | undefined> {
  return db.write(async (tx) => {
    if ((await findPartner(tx, draft.partner)) === undefined) return undefined
    // Serializes imports, so that the second of two imports of the same token finds the token of the first and is
    // refused.
    await tx.lock('token import')
    const known = await tokenWithHash(tx, draft.hash)
    if (known !== undefined) {
      throw new Refusal('token_exists', `Token ${known.id} of ${known.partner} has this hash already.`)
    }
    const token = newToken(newPublicId(), draft, nowIso(), draft.rotateBy)
    await insertToken(tx, token, draft.hash)
    record(tx, actor, 'token.import', token, created({ ...tokenValues(draft), rotate_by: draft.rotateBy }))
    return token
  })
}

export function findTokens(db: Db, partner?: string): Promise<Token[] | undefined> {
  return db.read(async (tx) => {
    if (partner !== undefined && (await findPartner(tx, partner)) === undefined) return undefined
    return listTokens(tx, partner)
  })
}

/** Revokes a token at once. Revoking it again changes nothing. Returns undefined when there is no such token. */
export function revokeToken(db: Db, id: string, actor = commandLine): Promise<Token | undefined> {
  return db.write(async (tx) => {
    const token = await lockToken(tx, id)
    if (token === undefined || token.revokedAt !== null) return token
    const revokedAt = nowIso()
    await updateToken(tx, id, { revokedAt })
    record(tx, actor, 'token.revoke', token, [{ key: 'revoked_at', before: null, after: revokedAt }])
    return { ...token, revokedAt }
  })
}

export type TokenChange = Partial<Pick<Token, 'name' | 'expiresAt' | 'allowedRanges'>>

/** `expect` throws if the stored token is not as the caller has seen it (`If-Match`): nothing is changed then. */
export function changeToken(
  db: Db,
  id: string,
  change: TokenChange,
  actor: Actor,
  expect: Expect<Token> = () => {},
): Promise<Token | 'unknown' | 'revoked'> {
  return db.write(async (tx) => {
    const token = await lockToken(tx, id)
    if (token === undefined) return 'unknown'
    if (token.revokedAt !== null) return 'revoked'
    expect(token)
    await updateToken(tx, id, change)
    const changed = { ...token, ...change }
    const changes = changesBetween(tokenValues(token), tokenValues(changed))
    if (changes.length > 0) record(tx, actor, 'token.update', token, changes)
    return changed
  })
}

export interface RotationOptions {
  graceSeconds: number
  /** When the new token expires; null for never. Default: after the lifetime of the old token, counted from now. */
  expiresAt?: string | null
}

export interface Rotation extends IssuedToken {
  /** The replaced token, whose expiry is now the end of the grace period or earlier. */
  old: Token
}

/** Issues a token with the old one's partner, name and address ranges, and ends the old one after a grace period. */
export function rotateToken(
  db: Db,
  id: string,
  options: RotationOptions,
  actor = commandLine,
): Promise<Rotation | 'unknown' | 'revoked'> {
  return db.write(async (tx) => {
    const token = await lockToken(tx, id)
    if (token === undefined) return 'unknown'
    if (token.revokedAt !== null) return 'revoked'
    const now = nowIso()
    const end = endAfterRotation(token, now, options.graceSeconds)
    const expiresAt =
      options.expiresAt === undefined ? sameLifetime(await latestReplacement(tx, token), now) : options.expiresAt
    const issued = await issue(tx, { ...token, expiresAt }, now)
    const replaced = { ...end, successor: issued.token.id }
    await updateToken(tx, id, replaced)
    const changes = changesBetween(tokenLifetime(token), tokenLifetime({ ...token, ...replaced }))
    record(tx, actor, 'token.rotate', token, changes, { issued: tokenValues(issued.token) })
    return { ...issued, old: { ...token, ...replaced } }
  })
}

async function latestReplacement(tx: Tx, token: Token): Promise<Token> {
  const next = token.successor === null ? undefined : await lockToken(tx, token.successor)
  return next === undefined ? token : latestReplacement(tx, next)
}

function record(
  tx: Tx,
  actor: Actor,
  action: AuditAction,
  { id, partner }: Token,
  changes: ValueChange[],
  more: object = {},
): void {
  bumpPartner(tx, partner)
  recordAudit(tx, { actor, action, partner, subject: id, detail: { changes, ...more } })
}

async function issue(tx: Tx, draft: TokenDraft, createdAt: string): Promise<IssuedToken> {
  const { id, secret, hash } = newSecret(isSandboxId(draft.partner) ? 'atr_test' : 'atr')
  const token = newToken(id, draft, createdAt, null)
  await insertToken(tx, token, hash)
  return { token, secret }
}

function newToken(id: string, draft: TokenDraft, createdAt: string, rotateBy: string | null): Token {
  const { partner, name, expiresAt, allowedRanges } = draft
  const lifetime = { createdAt, expiresAt, revokedAt: null, lastUsedAt: null, successor: null, rotateBy }
  return { id, partner, name, allowedRanges, ...lifetime }
}
