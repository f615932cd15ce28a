import { expiryNoticeMs } from '../../domain/access/token.ts'
import { systemActor } from '../../domain/audit/audit.ts'
import { addMs } from '../../domain/time.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Engine, Tx } from '../engine.ts'
import { statement } from '../statement.ts'

interface ExpiringToken {
  id: string
  partner: string
  name: string
  end: string
}

const batchSize = 100

/** Matches tokens that expire in the period `($1, $2]` and whose expiry was not announced before. */
const isDue = `expires_at > $1 and expires_at <= $2 and revoked_at is null and successor is null
  and announced_end is distinct from expires_at`

const anyDue = statement<{ id: string }>(`select id from token where ${isDue} order by expires_at limit 1`)

// Repeats `isDue` outside the subquery that selects a batch: a token may change before the update locks its row, and
// the condition is then checked again on the changed row.
const announce = statement<ExpiringToken>(`update token set announced_end = expires_at
  where id in (select id from token where ${isDue} order by expires_at limit ${batchSize}) and ${isDue}
  returning id, partner_id as partner, name, expires_at as end`)

function noticePeriod(nowIso: string): [from: string, until: string] {
  return [nowIso, addMs(nowIso, expiryNoticeMs)]
}

export async function isAnyTokenExpiring(ask: Engine['ask'], nowIso: string): Promise<boolean> {
  return (await ask(anyDue, ...noticePeriod(nowIso))).length > 0
}

/**
 * Announces a batch of tokens that expire soon. The transaction also stores the announced expiry, so that each is
 * announced only once. Returns whether there may be more.
 */
export async function announceExpiringTokens(tx: Tx, nowIso: string): Promise<boolean> {
  const tokens = await tx.rows(announce, ...noticePeriod(nowIso))
  for (const { id, partner, name, end } of tokens) {
    const detail = { name, expires_at: end }
    recordAudit(tx, { at: nowIso, actor: systemActor, action: 'token.near_end', partner, subject: id, detail })
  }
  return tokens.length === batchSize
}
