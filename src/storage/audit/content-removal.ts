import { type AuditAction, auditActions, type Scope } from '../../domain/audit/audit.ts'
import type { Engine } from '../engine.ts'
import { statement } from '../statement.ts'

const scopes: Scope[] = ['room', 'facility', 'facility_gone']
const actions = Object.keys(auditActions) as AuditAction[]
/** Those that can take subscriptions away. */
const removals = actions.filter((action) => scopes.includes(auditActions[action]) && action !== 'services.add')

/** Beyond this, looking costs more than erasing. */
const lookedAtMost = 5000

const removed = statement<{ action: string }>(`select action from (
    select action from audit_entry where seq > $1 order by seq limit ${lookedAtMost}) recent
  where action in (${removals.map((action) => `'${action}'`).join()}) limit 1`)

/** Whether something of a guest may have been removed after one entry and up to another. */
export async function isContentRemovedSince({ ask }: Pick<Engine, 'ask'>, seq: number, last: number): Promise<boolean> {
  return last - seq > lookedAtMost || (await ask(removed, seq)).length > 0
}

const highest = statement<{ seq: number }>('select seq from audit_entry where seq > 0 order by seq desc limit 1')

export async function lastEntry({ ask }: Pick<Engine, 'ask'>): Promise<number> {
  const [entry] = await ask(highest)
  return entry?.seq ?? 0
}
