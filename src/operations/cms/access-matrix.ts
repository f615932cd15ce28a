import { type Access, combineGrants } from '../../domain/access/grant.ts'
import { Refusal } from '../../domain/refusal.ts'
import { findPartner } from '../../storage/access/partner.ts'
import { type CoveredFacility, countCovered, pageOfCovered, rightsOfPartner } from '../../storage/cms/access.ts'
import type { Db } from '../../storage/database.ts'
import { type CmsPage, decodeCursor, encodeCursor, searchName, toPage } from '../page.ts'

export interface FacilityAccess extends CoveredFacility {
  access: Access
}

interface AccessSearch {
  q: string | undefined
  limit: number
  cursor: string | undefined
}

export function findAccess(db: Db, partner: string, search: AccessSearch): Promise<CmsPage<FacilityAccess>> {
  const { q, limit, cursor } = search
  const list = searchName('access', search, partner)
  const after = decodeCursor(list, cursor, ([id]) => (typeof id === 'string' ? id : undefined))
  return db.readFromReplica(async (tx) => {
    if ((await findPartner(tx, partner)) === undefined) {
      throw new Refusal('partner_not_found', 'There is no partner with this id.')
    }
    const grants = await rightsOfPartner(tx, partner)
    const rows = await pageOfCovered(tx, { partner, grants, q, after, limit: limit + 1 })
    const page = toPage(rows, limit, ({ idExternal }) => encodeCursor(list, idExternal))
    const items = page.items.map((row) => ({
      ...row,
      access: combineGrants(grants.filter((_, at) => row.grants.includes(at))),
    }))
    return { items, next: page.next, total: await countCovered(tx, { partner, grants, q }) }
  })
}
