import type { Operator } from '../../domain/access/operator.ts'
import type { Actor, AuditAction } from '../../domain/audit/audit.ts'
import { created, removed } from '../../domain/audit/estate-audit.ts'
import { newId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nowIso } from '../../domain/time.ts'
import * as storage from '../../storage/access/operator.ts'
import { deleteSessions } from '../../storage/access/operator-session.ts'
import { recordAudit } from '../../storage/audit/audit.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { hashPassword, inPasswordQueue } from './password-queue.ts'

/** Throws unless an object that a transaction has locked meets a precondition, such as `If-Match`. */
export type Expect<T> = (current: T) => void

type OperatorDraft = Pick<Operator, 'email' | 'name' | 'role'> & { password: string | null }

export async function createOperator(db: Db, actor: Actor, draft: OperatorDraft): Promise<Operator> {
  const { email, name, role } = draft
  const password = draft.password === null ? null : await hashed(actor, draft.password)
  return db.write(async (tx) => {
    await tx.lock(operatorsLock)
    await assertEmailFree(tx, email)
    const at = nowIso()
    const hasPassword = password !== null
    const operator: Operator = { id: newId(), email, name, role, hasPassword, createdAt: at, disabledAt: null }
    await storage.insertOperator(tx, operator, password)
    record(tx, actor, 'operator.create', operator, { changes: created({ email, name, role }) })
    return operator
  })
}

export function findOperators(db: Db): Promise<Operator[]> {
  return db.read(storage.listOperators)
}

export async function readOperator(db: Db, id: string): Promise<Operator> {
  return found(await db.read((tx) => storage.findOperator(tx, id)))
}

export type OperatorChange = Partial<Pick<Operator, 'email' | 'name' | 'role'>> & {
  password?: string
  disabled?: boolean
}

/** Changes an operator. A new password ends all of the operator's sessions, and so does disabling the account. */
export async function changeOperator(
  db: Db,
  actor: Actor,
  id: string,
  change: OperatorChange,
  expect: Expect<Operator>,
): Promise<Operator> {
  const password = change.password === undefined ? undefined : await hashed(actor, change.password)
  return db.write(async (tx) => {
    await tx.lock(operatorsLock)
    const current = found(await storage.findOperator(tx, id))
    expect(current)
    const after = changed(current, change)
    if (after.email !== current.email) await assertEmailFree(tx, after.email)
    const losesAdmin = current.role === 'admin' && (after.role !== 'admin' || after.disabledAt !== null)
    if (losesAdmin) await assertOtherAdmin(tx, id)
    const names = (['email', 'name', 'role', 'disabledAt'] as const).filter((name) => after[name] !== current[name])
    if (names.length === 0 && password === undefined) return current
    await storage.updateOperator(tx, id, { ...after, ...(password !== undefined && { password }) })
    if (password !== undefined || after.disabledAt !== null) await deleteSessions(tx, id)
    record(tx, actor, 'operator.update', after, {
      changes: names.map((name) => ({ key: name, before: current[name], after: after[name] })),
      ...(password !== undefined && { password: 'changed' }),
    })
    return { ...after, hasPassword: current.hasPassword || password !== undefined }
  })
}

function hashed({ address }: Actor, password: string): Promise<string> {
  return inPasswordQueue(address, () => hashPassword(password))
}

function changed(current: Operator, { email, name, role, disabled }: OperatorChange): Operator {
  const disabledAt = disabled ? (current.disabledAt ?? nowIso()) : null
  return {
    ...current,
    email: email ?? current.email,
    name: name ?? current.name,
    role: role ?? current.role,
    disabledAt: disabled === undefined ? current.disabledAt : disabledAt,
  }
}

export function removeOperator(db: Db, actor: Actor, id: string, expect: Expect<Operator>): Promise<Operator> {
  return db.write(async (tx) => {
    await tx.lock(operatorsLock)
    const operator = found(await storage.findOperator(tx, id))
    expect(operator)
    if (operator.role === 'admin' && operator.disabledAt === null) await assertOtherAdmin(tx, id)
    await storage.deleteOperator(tx, id)
    const { email, name, role, disabledAt } = operator
    record(tx, actor, 'operator.remove', operator, { changes: removed({ email, name, role, disabledAt }) })
    return operator
  })
}

/** Serializes changes of operators: two concurrent ones could each remove one of the last two administrators. */
const operatorsLock = 'atrium operators'

async function assertEmailFree(tx: Tx, email: string): Promise<void> {
  if ((await storage.findOperatorByEmail(tx, email)) === undefined) return
  throw new Refusal('operator_exists', 'Another operator has this e-mail address.')
}

async function assertOtherAdmin(tx: Tx, id: string): Promise<void> {
  if ((await storage.otherAdmins(tx, id)) > 0) return
  throw new Refusal('last_admin', 'This is the last administrator who can sign in: create another one first.')
}

function found(operator: Operator | undefined): Operator {
  if (operator === undefined) throw new Refusal('operator_not_found', 'There is no operator with this id.')
  return operator
}

function record(tx: Tx, actor: Actor, action: AuditAction, { id }: Operator, detail: object): void {
  recordAudit(tx, { actor, action, subject: id, detail })
}
