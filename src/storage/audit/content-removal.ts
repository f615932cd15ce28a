import { type AuditAction, auditActions, type Scope } from '../../domain/audit/audit.ts'
import type { Engine } from '../engine.ts'
import { statement } from '../statement.ts'

const scopes: Scope[] = ['room', 'facility', 'facility_gone']
const actions = Object.keys(auditActions) as AuditAction[]
/** The actions that can remove subscriptions, which are the guest data. */
const removals = actions.filter((action) => scopes.includes(auditActions[action]) && action !== 'services.add')

/**
 * Above this many entries, the files are erased without reading the entries: reading costs more than a needless
 * erasure.
 */
const maxScanned = 5000

const removed = statement<{ action: string }>(`select action from (
    select action from audit_entry where seq > $1 order by seq limit ${maxScanned}) recent
  where action in (${removals.map((action) => `'${action}'`).join()}) limit 1`)

/**
 * Returns whether guest data may have been removed between two entries, so that the database files need to be erased.
 */
export async function isContentRemovedSince({ ask }: Pick<Engine, 'ask'>, seq: number, last: number): Promise<boolean> {
  return last - seq > maxScanned || (await ask(removed, seq)).length > 0
}
