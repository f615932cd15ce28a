import { type AuditAction, auditActions, type Scope } from '../../domain/audit/audit.ts'
import type { Engine } from '../engine.ts'
import { statement } from '../statement.ts'

const scopes: Scope[] = ['room', 'facility', 'facility_gone']
const actions = Object.keys(auditActions) as AuditAction[]
/** The actions that can remove subscriptions, which contain data about guests. */
const removals = actions.filter((action) => scopes.includes(auditActions[action]) && action !== 'services.add')

/**
 * With more entries to check than this, assumes that guest data was removed: erasing it from the files needlessly costs
 * less than reading so many entries.
 */
const maxScanned = 5000

const removed = statement<{ action: string }>(`select action from (
    select action from audit_entry where seq > $1 order by seq limit ${maxScanned}) recent
  where action in (${removals.map((action) => `'${action}'`).join()}) limit 1`)

/**
 * Returns whether the changes in the entries after `seq`, up to `last`, may have removed guest data. If so, its remains
 * must be erased from the database files.
 */
export async function isContentRemovedSince({ ask }: Pick<Engine, 'ask'>, seq: number, last: number): Promise<boolean> {
  return last - seq > maxScanned || (await ask(removed, seq)).length > 0
}
