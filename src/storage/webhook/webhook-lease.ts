import type { WebhookState } from '../../domain/webhook/webhook.ts'
import type { Tx } from '../engine.ts'
import { columnsOf, type StoredWebhook, toWebhook } from './webhook.ts'

/** Those after this one that may have something to send by now and for which nobody sends. */
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

/** Takes the work on it, unless somebody else has it; answers it as it is by then. */
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

const held = (tx: Tx, id: string, owner: string) =>
  tx.query
    .selectFrom('webhook')
    .selectAll()
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('disabled_at', 'is', null)

/** What has become of it, while the work on it is still ours and nobody has switched it off. */
export async function findLeased(tx: Tx, id: string, owner: string): Promise<StoredWebhook | undefined> {
  const row = await held(tx, id, owner).executeTakeFirst()
  return row && toWebhook(row)
}

/** Finds it and keeps others from changing it meanwhile. */
export async function lockLeased(tx: Tx, id: string, owner: string): Promise<StoredWebhook | undefined> {
  const row = await tx.lockRow(held(tx, id, owner)).executeTakeFirst()
  return row && toWebhook(row)
}

/** Writes what has become of it, and keeps the work on it for longer. */
export async function updateLeased(tx: Tx, webhook: StoredWebhook, { owner, until }: Lease): Promise<void> {
  await tx.query
    .updateTable('webhook')
    .set({ ...columnsOf(webhook), lease_until: until })
    .where('id', '=', webhook.id)
    .where('lease_owner', '=', owner)
    .execute()
}

/** Keeps the work on all that one has. */
export async function renewLeases(tx: Tx, { owner, until }: Lease): Promise<void> {
  await tx.query.updateTable('webhook').set({ lease_until: until }).where('lease_owner', '=', owner).execute()
}

/** Lets others have the work on it. */
export async function releaseLease(tx: Tx, id: string, { owner, until }: Lease): Promise<void> {
  await tx.query
    .updateTable('webhook')
    .set({ lease_owner: null, lease_until: until })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute()
}

/** Notes that there is nothing for it up to here, unless somebody has the work on it. */
export async function advanceCursor(tx: Tx, { id, place }: StoredWebhook, upTo: number, nowIso: string): Promise<void> {
  await tx.query
    .updateTable('webhook')
    .set({ place: upTo })
    .where('id', '=', id)
    .where('place', '=', place)
    .where('lease_until', '<=', nowIso)
    .execute()
}

export interface Upcoming {
  endpoints: Record<WebhookState, number>
  /** Since when the one fails that has failed for longest. */
  failingSince: string | null
  /** When the next may be taken that may not be now. */
  nextAt: string | null
}

/** How all of them are. */
export async function upcoming(tx: Tx, nowIso: string): Promise<Upcoming> {
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
