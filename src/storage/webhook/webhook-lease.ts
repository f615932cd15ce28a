import type { WebhookState } from '../../domain/webhook/webhook.ts'
import type { Tx } from '../engine.ts'
import { columnsOf, type StoredWebhook, toWebhook } from './webhook.ts'

// A node leases a webhook, so that no two nodes send the same events. A lease that it does not renew expires. Once
// another node holds the lease, updates by the first one have no effect.

/** Returns webhooks above the id `after` that may have events to send and that no node has leased, by id. */
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

/** Returns undefined when another node leased the webhook first, or when the webhook is not due any more. */
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

export async function findLeased(tx: Tx, id: string, owner: string): Promise<StoredWebhook | undefined> {
  const row = await leased(tx, id, owner).executeTakeFirst()
  return row && toWebhook(row)
}

export async function lockLeased(tx: Tx, id: string, owner: string): Promise<StoredWebhook | undefined> {
  const row = await tx.lockRow(leased(tx, id, owner)).executeTakeFirst()
  return row && toWebhook(row)
}

/** Stores a changed webhook and renews its lease. Does nothing when the node `owner` does not hold the lease. */
export async function updateLeased(tx: Tx, webhook: StoredWebhook, { owner, until }: Lease): Promise<void> {
  await tx.query
    .updateTable('webhook')
    .set({ ...columnsOf(webhook), lease_until: until })
    .where('id', '=', webhook.id)
    .where('lease_owner', '=', owner)
    .execute()
}

export async function renewLeases(tx: Tx, { owner, until }: Lease): Promise<void> {
  await tx.query.updateTable('webhook').set({ lease_until: until }).where('lease_owner', '=', owner).execute()
}

/** Ends the lease that the node `owner` holds on a webhook. Other nodes can acquire it from the time `until`. */
export async function releaseLease(tx: Tx, id: string, { owner, until }: Lease): Promise<void> {
  await tx.query
    .updateTable('webhook')
    .set({ lease_owner: null, lease_until: until })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute()
}

/** Moves the cursor past events that the webhook does not receive. Does nothing while a node holds its lease. */
export async function advanceCursor(tx: Tx, { id, place }: StoredWebhook, upTo: number, nowIso: string): Promise<void> {
  await tx.query
    .updateTable('webhook')
    .set({ place: upTo })
    .where('id', '=', id)
    .where('place', '=', place)
    .where('lease_until', '<=', nowIso)
    .execute()
}

interface WebhookSummary {
  endpoints: Record<WebhookState, number>
  /** The time at which the webhook that has been failing longest began to fail; null when none is failing. */
  failingSince: string | null
  /** The next time at which the retry of a delivery becomes due or a lease expires. */
  nextAt: string | null
}

/** Counts webhooks by state, for metrics, and finds the time at which the dispatcher of webhooks must wake up next. */
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
