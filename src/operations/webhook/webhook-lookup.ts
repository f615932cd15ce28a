import type { Actor, AuditAction } from '../../domain/audit/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Webhook } from '../../domain/webhook/webhook.ts'
import { findPartner } from '../../storage/access/partner.ts'
import { recordAudit } from '../../storage/audit/audit.ts'
import type { Tx } from '../../storage/engine.ts'
import { findWebhook, type StoredWebhook } from '../../storage/webhook/webhook.ts'

/** Refuses the webhooks of other partners as if they did not exist. */
export async function requireWebhook(
  tx: Tx,
  partner: string,
  id: string,
  find: typeof findWebhook = findWebhook,
): Promise<StoredWebhook> {
  const webhook = await find(tx, partner, id)
  if (webhook === undefined) throw new Refusal('webhook_not_found', 'There is no webhook with this id.')
  return webhook
}

export async function assertPartner(tx: Tx, id: string): Promise<void> {
  if ((await findPartner(tx, id)) !== undefined) return
  throw new Refusal('partner_not_found', 'There is no partner with this id.')
}

export function record(tx: Tx, actor: Actor, action: AuditAction, { id, partner }: Webhook, detail: object): void {
  recordAudit(tx, { actor, action, partner, subject: id, detail })
}
