import type { EstateCache } from '../cached/estate-cache.ts'
import type { CachedPartner } from '../cached/partner.ts'
import { StaleReadError } from '../database.ts'
import type { BatchTx } from '../engine.ts'
import { statement } from '../statement.ts'

const partnerVersion = statement<{ version: number }>('select version from partner where id = $1')

/** Throws, so that the transaction runs again, if the partner's permissions changed while it waited for a lock. */
export async function confirmPartner(tx: BatchTx, cache: EstateCache, partner: CachedPartner): Promise<void> {
  if (tx.isExclusive) return
  const [row] = await tx.rows(partnerVersion, partner.id)
  if (row?.version === partner.version) return
  cache.invalidatePartner(partner.id)
  throw new StaleReadError('The rights of the partner have changed')
}

const bump = statement('update partner set version = version + 1 where id = $1')

/** Marks cached permissions as stale. Every change of the partner, its grants or its tokens must call this. */
export function bumpPartner(tx: BatchTx, partner: string): void {
  tx.post(bump, partner)
}
