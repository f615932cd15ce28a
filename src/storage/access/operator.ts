import type { Selectable } from 'kysely'
import type { Operator, Role } from '../../domain/access/operator.ts'
import type { Tx } from '../engine.ts'
import type { OperatorTable } from '../table-rows.ts'

export function toOperator(row: Selectable<OperatorTable>): Operator {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    hasPassword: row.password !== null,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
  }
}

export async function listOperators(tx: Tx): Promise<Operator[]> {
  const rows = await tx.query.selectFrom('operator').selectAll().orderBy('email').execute()
  return rows.map(toOperator)
}

export async function findOperator(tx: Tx, id: string): Promise<Operator | undefined> {
  const row = await tx.query.selectFrom('operator').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toOperator(row)
}

/** Returns the password hash beside the operator, so that callers cannot disclose it together with the operator. */
export async function findOperatorByEmail(
  tx: Tx,
  email: string,
): Promise<{ operator: Operator; password: string | null } | undefined> {
  const row = await tx.query.selectFrom('operator').selectAll().where('email', '=', email).executeTakeFirst()
  return row && { operator: toOperator(row), password: row.password }
}

export async function passwordOf(tx: Tx, id: string): Promise<string | null> {
  const row = await tx.query.selectFrom('operator').select('password').where('id', '=', id).executeTakeFirst()
  return row?.password ?? null
}

export async function insertOperator(tx: Tx, operator: Operator, password: string | null): Promise<void> {
  const { id, email, name, role, createdAt, disabledAt } = operator
  await tx.query
    .insertInto('operator')
    .values({ id, email, name, role, password, created_at: createdAt, disabled_at: disabledAt })
    .execute()
}

export type OperatorFields = Partial<Pick<Operator, 'email' | 'name' | 'role' | 'disabledAt'>> & {
  password?: string | null
}

export async function updateOperator(tx: Tx, id: string, fields: OperatorFields): Promise<void> {
  const { email, name, role, password, disabledAt } = fields
  await tx.query
    .updateTable('operator')
    .set({ email, name, role, password, disabled_at: disabledAt })
    .where('id', '=', id)
    .execute()
}

/** Deletes an operator. Foreign keys delete the operator's sessions, keys and sign-in links as well. */
export async function deleteOperator(tx: Tx, id: string): Promise<void> {
  await tx.query.deleteFrom('operator').where('id', '=', id).execute()
}

/** Counts other enabled admins: the last admin must stay, since only admins can add operators. */
export async function otherAdmins(tx: Tx, id: string): Promise<number> {
  const { count } = await tx.query
    .selectFrom('operator')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .where('id', '!=', id)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
