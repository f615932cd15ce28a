import type { Operator } from '../../domain/access/operator.ts'
import type { Tx } from '../engine.ts'
import { toOperator } from './operator.ts'

/** A browser session of an operator. Its cookie holds a secret, of which the database stores only a hash. */
export interface OperatorSession {
  id: string
  operator: string
  createdAt: string
  lastUsedAt: string
  expiresAt: string
  address: string | null
  agent: string | null
}

export async function insertSession(tx: Tx, session: OperatorSession, hash: string): Promise<void> {
  const { id, operator, createdAt, lastUsedAt, expiresAt, address, agent } = session
  await tx.query
    .insertInto('operator_session')
    .values({
      id,
      operator_id: operator,
      hash,
      created_at: createdAt,
      last_used_at: lastUsedAt,
      expires_at: expiresAt,
      address,
      agent,
    })
    .execute()
}

const columns = [
  'operator_session.id as id',
  'operator_session.operator_id as operator',
  'operator_session.created_at as createdAt',
  'operator_session.last_used_at as lastUsedAt',
  'operator_session.expires_at as expiresAt',
  'operator_session.address as address',
  'operator_session.agent as agent',
] as const

export interface SignedIn {
  session: OperatorSession
  operator: Operator
}

export async function findSession(tx: Tx, hash: string, nowIso: string): Promise<SignedIn | undefined> {
  const session = await tx.query
    .selectFrom('operator_session')
    .select(columns)
    .where('hash', '=', hash)
    .where('expires_at', '>', nowIso)
    .executeTakeFirst()
  if (session === undefined) return undefined
  const row = await tx.query
    .selectFrom('operator')
    .selectAll()
    .where('id', '=', session.operator)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row && { session, operator: toOperator(row) }
}

export async function touchSession(tx: Tx, id: string, lastUsedAt: string, expiresAt: string): Promise<void> {
  await tx.query
    .updateTable('operator_session')
    .set({ last_used_at: lastUsedAt, expires_at: expiresAt })
    .where('id', '=', id)
    .execute()
}

export function sessionsOf(tx: Tx, operator: string, nowIso: string): Promise<OperatorSession[]> {
  return tx.query
    .selectFrom('operator_session')
    .select(columns)
    .where('operator_id', '=', operator)
    .where('expires_at', '>', nowIso)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Deletes the session `id` or, without it, all sessions of the operator apart from `except`. Returns how many. */
export async function deleteSessions(
  tx: Tx,
  operator: string,
  { id, except }: { id?: string; except?: string | undefined } = {},
): Promise<number> {
  const { numDeletedRows } = await tx.query
    .deleteFrom('operator_session')
    .where('operator_id', '=', operator)
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .$if(except !== undefined, (query) => query.where('id', '!=', except as string))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteSessionsBefore(tx: Tx, nowIso: string): Promise<void> {
  await tx.query.deleteFrom('operator_session').where('expires_at', '<=', nowIso).execute()
  await tx.query.deleteFrom('sign_in_link').where('expires_at', '<=', nowIso).execute()
  await tx.query.deleteFrom('sign_in_state').where('expires_at', '<=', nowIso).execute()
}
