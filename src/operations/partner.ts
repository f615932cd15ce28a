import type { PartnerWithGrants } from '../domain/access/partner.ts'
import type { Token } from '../domain/access/token.ts'
import { nowIso } from '../domain/time.ts'
import { findPartner, grantsOfPartner, listPartners, type PartnerSummary } from '../storage/access/partner.ts'
import { listTokens } from '../storage/access/token.ts'
import type { Db } from '../storage/database.ts'

export function findPartners(db: Db): Promise<PartnerSummary[]> {
  return db.read((tx) => listPartners(tx, nowIso()))
}

export interface PartnerDetails extends PartnerWithGrants {
  tokens: Token[]
}

/** Returns a partner with its grants and tokens. Returns undefined when there is no such partner. */
export function describePartner(db: Db, id: string): Promise<PartnerDetails | undefined> {
  return db.read(async (tx) => {
    const partner = await findPartner(tx, id)
    if (partner === undefined) return undefined
    return { ...partner, grants: await grantsOfPartner(tx, id), tokens: await listTokens(tx, id) }
  })
}
