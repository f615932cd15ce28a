import type { EstateCache } from '../cached/estate-cache.ts'
import type { CachedPartner } from '../cached/partner.ts'
import { StaleReadError } from '../database.ts'
import type { BatchTx } from '../engine.ts'
import { statement } from '../statement.ts'

const partnerVersion = statement<{ version: number }>('select version from partner where id = $1')

/**
 * Makes sure that what the memory knows of a partner is true inside this transaction, at this point of it: after a
 * wait for a lock, say. If it is not, the transaction is tried again.
 */
export async function confirmPartner(tx: BatchTx, cache: EstateCache, partner: CachedPartner): Promise<void> {
  if (tx.isExclusive) return
  const [row] = await tx.rows(partnerVersion, partner.id)
  if (row?.version === partner.version) return
  cache.invalidatePartner(partner.id)
  throw new StaleReadError('The rights of the partner have changed')
}

const bump = statement('update partner set version = version + 1 where id = $1')

/** Whatever happens to a partner, its grants or its tokens moves its version, so that no node acts on old ones. */
export function bumpPartner(tx: BatchTx, partner: string): void {
  tx.post(bump, partner)
}
