import type { WebhookState } from '../../domain/webhook/webhook.ts'
import type { Tx } from '../engine.ts'
import { columnsOf, type StoredWebhook, toWebhook } from './webhook.ts'

// A node holds a lease on a webhook while it sends to it, so that no two nodes send the same events. A lease expires when
// its node stops renewing it, and every update checks that the owner still holds it.

/** Returns webhooks that may have something to send and whose lease is free, in the order of their ids after `after`. */
export async function dueWebhooks(
  tx: Tx,
  { nowIso, highest, after, limit }: { nowIso: string; highest: number; after: string; limit: number },
): Promise<StoredWebhook[]> {
  const rows = await tx.query
    .selectFrom('webhook')
    .selectAll()
    .where('id', '>', after)
    .where('disabled_at', 'is', null)
    .where('next_at', '<=', nowIso)
    .where('lease_until', '<=', nowIso)
    .where((where) => where.or([where('place', '<', highest), where('replay_until', 'is not', null)]))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toWebhook)
}

export interface Lease {
  owner: string
  until: string
}

/** Acquires the lease. Returns the webhook, undefined when another node was first or nothing is due any more. */
export async function acquireLease(
  tx: Tx,
  id: string,
  { owner, until }: Lease,
  nowIso: string,
): Promise<StoredWebhook | undefined> {
  const row = await tx.query
    .updateTable('webhook')
    .set({ lease_owner: owner, lease_until: until })
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .where('next_at', '<=', nowIso)
    .where('lease_until', '<=', nowIso)
    .returningAll()
    .executeTakeFirst()
  return row && toWebhook(row)
}

const leased = (tx: Tx, id: string, owner: string) =>
  tx.query
    .selectFrom('webhook')
    .selectAll()
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('disabled_at', 'is', null)

/** Returns the webhook while the owner holds the lease and the webhook is enabled. */
export async function findLeased(tx: Tx, id: string, owner: string): Promise<StoredWebhook | undefined> {
  const row = await leased(tx, id, owner).executeTakeFirst()
  return row && toWebhook(row)
}

/** Like `findLeased`, and locks the webhook until the transaction ends. */
export async function lockLeased(tx: Tx, id: string, owner: string): Promise<StoredWebhook | undefined> {
  const row = await tx.lockRow(leased(tx, id, owner)).executeTakeFirst()
  return row && toWebhook(row)
}

/** Updates a leased webhook and renews the lease. */
export async function updateLeased(tx: Tx, webhook: StoredWebhook, { owner, until }: Lease): Promise<void> {
  await tx.query
    .updateTable('webhook')
    .set({ ...columnsOf(webhook), lease_until: until })
    .where('id', '=', webhook.id)
    .where('lease_owner', '=', owner)
    .execute()
}

/** Renews all leases of an owner. */
export async function renewLeases(tx: Tx, { owner, until }: Lease): Promise<void> {
  await tx.query.updateTable('webhook').set({ lease_until: until }).where('lease_owner', '=', owner).execute()
}

/** Releases the lease; `until` is when other nodes may acquire it. */
export async function releaseLease(tx: Tx, id: string, { owner, until }: Lease): Promise<void> {
  await tx.query
    .updateTable('webhook')
    .set({ lease_owner: null, lease_until: until })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute()
}

/** Advances the cursor of a webhook for which there was nothing to send, unless a node holds the lease. */
export async function advanceCursor(tx: Tx, { id, place }: StoredWebhook, upTo: number, nowIso: string): Promise<void> {
  await tx.query
    .updateTable('webhook')
    .set({ place: upTo })
    .where('id', '=', id)
    .where('place', '=', place)
    .where('lease_until', '<=', nowIso)
    .execute()
}

export interface WebhookSummary {
  endpoints: Record<WebhookState, number>
  /** The start of the longest ongoing failure. */
  failingSince: string | null
  /** The next time at which a retry is due or a lease ends. */
  nextAt: string | null
}

/** Summarizes all webhooks for metrics and for the dispatcher's next wake-up. */
export async function webhookSummary(tx: Tx, nowIso: string): Promise<WebhookSummary> {
  const { all, enabled, failing, failingSince, retryAt, endOfLease } = await tx.query
    .selectFrom('webhook')
    .select(({ fn, eb }) => {
      const ifEnabled = (column: 'next_at' | 'lease_until' | 'failing_since', after: string) =>
        eb
          .case()
          .when(eb.and([eb('disabled_at', 'is', null), eb(column, '>', after)]))
          .then(eb.ref(column))
          .end()
      return [
        fn.countAll<number>().as('all'),
        fn.count<number>(ifEnabled('next_at', '')).as('enabled'),
        fn.count<number>(ifEnabled('failing_since', '')).as('failing'),
        fn.min(ifEnabled('failing_since', '')).as('failingSince'),
        fn.min(ifEnabled('next_at', nowIso)).as('retryAt'),
        fn.min(ifEnabled('lease_until', nowIso)).as('endOfLease'),
      ]
    })
    .executeTakeFirstOrThrow()
  const [nextAt = null] = [retryAt, endOfLease].filter((at) => at !== null).sort()
  return { endpoints: { active: enabled - failing, failing, disabled: all - enabled }, failingSince, nextAt }
}
