import type { EstateCache } from '../cached/estate-cache.ts'
import type { CachedPartner } from '../cached/partner.ts'
import { StaleReadError } from '../database.ts'
import type { BatchTx } from '../engine.ts'
import { statement } from '../statement.ts'

const partnerVersion = statement<{ version: number }>('select version from partner where id = $1')

/**
 * Checks in the database that a partner's cached permissions are current, as they may have changed while the
 * transaction waited for a lock. If they are stale, invalidates them and throws an error that makes the transaction run
 * again.
 */
export async function confirmPartner(tx: BatchTx, cache: EstateCache, partner: CachedPartner): Promise<void> {
  if (tx.isExclusive) return
  const [row] = await tx.rows(partnerVersion, partner.id)
  if (row?.version === partner.version) return
  cache.invalidatePartner(partner.id)
  throw new StaleReadError('The rights of the partner have changed')
}

const bump = statement('update partner set version = version + 1 where id = $1')

/**
 * Increments a partner's version number, by which the cache recognizes that the partner's cached permissions are stale.
 * Every change of the partner, its grants or its tokens must call this.
 */
export function bumpPartner(tx: BatchTx, partner: string): void {
  tx.post(bump, partner)
}
