import type { Tx } from '../engine.ts'

export async function insertLink(tx: Tx, hash: string, operator: string, expiresAt: string): Promise<void> {
  await tx.query.insertInto('sign_in_link').values({ hash, operator_id: operator, expires_at: expiresAt }).execute()
}

/** Deletes the link, so that it works only once. Returns the operator's id; undefined if the link is not valid. */
export async function consumeLink(tx: Tx, hash: string, nowIso: string): Promise<string | undefined> {
  const row = await tx.query
    .deleteFrom('sign_in_link')
    .where('hash', '=', hash)
    .where('expires_at', '>', nowIso)
    .returning('operator_id')
    .executeTakeFirst()
  return row?.operator_id
}

/** Returns false if this OpenID `state` was used before, so that it cannot be replayed before it expires. */
export async function consumeState(tx: Tx, hash: string, expiresAt: string): Promise<boolean> {
  const row = await tx.query
    .insertInto('sign_in_state')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

export interface Failures {
  subject: string
  count: number
  lastAt: string
}

export async function failuresOf(tx: Tx, subjects: string[]): Promise<Failures[]> {
  return tx.query
    .selectFrom('sign_in_failure')
    .select(['subject', 'count', 'last_at as lastAt'])
    .where('subject', 'in', subjects)
    .execute()
}

/** Counts a failure of `subject`: an account, a network or both. Starts at 1 if the last was before `forgottenIso`. */
export async function countFailure(tx: Tx, subject: string, nowIso: string, forgottenIso: string): Promise<void> {
  await tx.query
    .insertInto('sign_in_failure')
    .values({ subject, count: 1, last_at: nowIso })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet(({ eb, ref }) => ({
        count: eb
          .case()
          .when(ref('sign_in_failure.last_at'), '<', forgottenIso)
          .then(1)
          .else(eb('sign_in_failure.count', '+', 1))
          .end(),
        last_at: nowIso,
      })),
    )
    .execute()
}

/**
 * Subtracts a failed sign-in that was counted at `atIso`. The time of the last failure goes back to `lastIso`, unless
 * another failure was counted after `atIso`.
 */
export async function uncountFailure(tx: Tx, subject: string, atIso: string, lastIso: string): Promise<void> {
  await tx.query
    .updateTable('sign_in_failure')
    .set(({ eb }) => ({
      count: eb('count', '-', 1),
      last_at: eb.case().when('last_at', '=', atIso).then(lastIso).else(eb.ref('last_at')).end(),
    }))
    .where('subject', '=', subject)
    .where('count', '>', 0)
    .execute()
}

export async function clearFailures(tx: Tx, subjects: string[]): Promise<void> {
  await tx.query.deleteFrom('sign_in_failure').where('subject', 'in', subjects).execute()
}

export async function deleteFailuresBefore(tx: Tx, lastIso: string): Promise<void> {
  await tx.query.deleteFrom('sign_in_failure').where('last_at', '<', lastIso).execute()
}
