import type { PartnerWithGrants } from '../../domain/access/partner.ts'
import type { Token } from '../../domain/access/token.ts'
import type { Actor } from '../../domain/audit/audit.ts'
import type { EstatePartner } from '../../domain/estate.ts'
import { isSandboxId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nowIso } from '../../domain/time.ts'
import { listTokens } from '../../storage/access/token.ts'
import { countPartners, type PartnerRow, pageOfPartners } from '../../storage/cms/partner.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { findPartnerWithGrants, tokenCount } from '../../storage/estate/estate-partner.ts'
import type { Expect } from '../access/operator.ts'
import { applyPartner } from '../estate/apply-partner.ts'
import { changeEstate } from '../estate/change-estate.ts'
import type { EstateContext } from '../estate/estate-context.ts'
import { removePartner as remove } from '../estate/prune-estate.ts'
import { type CmsPage, decodeCursor, encodeCursor, searchName, toPage } from '../page.ts'

interface PartnerSearch {
  q: string | undefined
  limit: number
  cursor: string | undefined
}

export function findPartners(db: Db, search: PartnerSearch): Promise<CmsPage<PartnerRow>> {
  const { q, limit, cursor } = search
  const list = searchName('partners', search)
  const after = decodeCursor(list, cursor, ([id]) => (typeof id === 'string' ? id : undefined))
  return db.readFromReplica(async (tx) => {
    const rows = await pageOfPartners(tx, { q, after, limit: limit + 1, nowIso: nowIso() })
    return { ...toPage(rows, limit, ({ id }) => encodeCursor(list, id)), total: await countPartners(tx, q) }
  })
}

export interface PartnerDetails extends PartnerWithGrants {
  tokens: Token[]
}

export function describePartner(db: Db, id: string): Promise<PartnerDetails | undefined> {
  return db.read(async (tx) => {
    const partner = await findPartnerWithGrants(tx, id)
    return partner && { ...partner, tokens: await listTokens(tx, id) }
  })
}

export function readPartner(db: Db, id: string): Promise<PartnerWithGrants> {
  return db.read((tx) => requirePartner(tx, id))
}

export async function requirePartner(tx: Tx, id: string): Promise<PartnerWithGrants> {
  const partner = await findPartnerWithGrants(tx, id)
  if (partner === undefined) throw new Refusal('partner_not_found', 'There is no partner with this id.')
  return partner
}

/** Refuses sandboxes, which have their name and permissions from the partner that owns them. */
function refuseSandbox(id: string): void {
  if (!isSandboxId(id)) return
  throw new Refusal('partner_not_found', 'This is a sandbox. Manage it through the partner that owns it.')
}

export function createPartner(db: Db, actor: Actor, partner: EstatePartner): Promise<PartnerWithGrants> {
  return changeEstate(db, actor, async (context) => {
    if ((await findPartnerWithGrants(context.tx, partner.id)) !== undefined) {
      throw new Refusal('partner_exists', 'A partner with this id exists already.')
    }
    return applyAndReload(context, partner)
  })
}

export function changePartner(
  db: Db,
  actor: Actor,
  change: EstatePartner,
  expect: Expect<PartnerWithGrants>,
): Promise<PartnerWithGrants> {
  refuseSandbox(change.id)
  return changeEstate(db, actor, async (context) => {
    expect(await requirePartner(context.tx, change.id))
    return applyAndReload(context, change)
  })
}

export async function applyAndReload(context: EstateContext, partner: EstatePartner): Promise<PartnerWithGrants> {
  await applyPartner(context, { kind: 'partner', partner })
  context.faults.throwIfAny()
  return requirePartner(context.tx, partner.id)
}

export function removePartner(
  db: Db,
  actor: Actor,
  id: string,
  expect: Expect<PartnerWithGrants>,
): Promise<{ partner: PartnerWithGrants; tokens: number }> {
  refuseSandbox(id)
  return changeEstate(db, actor, async (context) => {
    const partner = await requirePartner(context.tx, id)
    expect(partner)
    const tokens = await tokenCount(context.tx, id)
    await remove(context, id)
    return { partner, tokens }
  })
}
