import type { AuditAction } from '../../domain/audit/audit.ts'
import { areaRemoval, facilityRemoval, partnerRemoval, removed } from '../../domain/audit/estate-audit.ts'
import type { Facility } from '../../domain/facility.ts'
import { fullId } from '../../domain/identifier.ts'
import type { Area } from '../../domain/room/stored-room.ts'
import type { Sandbox } from '../../domain/sandbox.ts'
import { listTokens } from '../../storage/access/token.ts'
import { recordAudits } from '../../storage/audit/audit.ts'
import { areasOf, contentsOf, deleteAreas, subscriptionCounts } from '../../storage/estate/estate-area.ts'
import { deleteFacilities, facilitiesAfter, facilitiesNamed, listsOf } from '../../storage/estate/estate-facility.ts'
import {
  deletePartner,
  findPartnerWithGrants,
  grantsNaming,
  partnerIdsAfter,
  tokenCount,
} from '../../storage/estate/estate-partner.ts'
import { findSandbox } from '../../storage/sandbox.ts'
import { listWebhooks } from '../../storage/webhook/webhook.ts'
import { clearDeviceRooms } from '../device-rooms.ts'
import { batches, type EstateContext, type FacilityItem, type WantedEstate } from './estate-context.ts'

/** Removes what the file does not name: facilities, partners and, in facilities for which it lists areas, areas. */
export async function pruneEstate(context: EstateContext, { items, present }: WantedEstate): Promise<void> {
  const facilities = new Set<string>()
  const partners = new Set<string>()
  for await (const batch of batches(items())) {
    for (const item of batch) {
      if (item.kind === 'facility') facilities.add(item.facility.idExternal)
      else partners.add(item.partner.id)
    }
    const withAreas = batch.flatMap((item) => (item.kind === 'facility' && item.facility.areas ? [item] : []))
    await pruneAreas(context, withAreas)
  }
  if (present.facilities) await pruneFacilities(context, facilities)
  if (present.partners) await prunePartners(context, partners)
}

async function pruneAreas(context: EstateContext, items: FacilityItem[]): Promise<void> {
  const { tx } = context
  const known = await facilitiesNamed(
    tx,
    items.map(({ facility }) => facility.idExternal),
  )
  const wanted = new Map(items.map(({ facility }) => [facility.idExternal, facility.areas ?? []]))
  const removed: Area[] = []
  for (const areas of (await areasOf(tx, known)).values()) {
    const named = new Set(wanted.get(areas[0]?.facility ?? '')?.map(({ id }) => id))
    removed.push(...areas.filter(({ short }) => !named.has(short)))
  }
  await removeAreas(context, removed)
}

/** Removes areas with their subscriptions, even if their rooms are open. */
export async function removeAreas(context: EstateContext, removed: Area[]): Promise<void> {
  const { tx, tally, note } = context
  if (removed.length === 0) return
  const ids = removed.map(({ id }) => id)
  const subscriptions = await subscriptionCounts(tx, ids)
  for (const { id, facility, short, cycle } of removed) {
    const lost = [...(cycle === null ? [] : ['an open room']), ...counted(subscriptions.get(id) ?? 0, 'subscription')]
    note({ sign: '-', noun: 'area', id: fullId(facility, short), changes: [], lost })
  }
  tally.areas.removed += removed.length
  await deleteAreas(tx, ids)
  for (const [facility, areas] of Map.groupBy(removed, (area) => area.facility)) {
    const changes = await clearDeviceRooms(context, areas)
    const detail = {
      ...(changes.length > 0 && { changes }),
      areas_removed: areas.length,
      area_changes: areas.map(areaRemoval),
    }
    await record(context, 'facility.update', { facility }, detail)
  }
}

const pageLength = 500

async function pruneFacilities(context: EstateContext, named: ReadonlySet<string>): Promise<void> {
  const { tx } = context
  let page: Facility[]
  for (let after = 0; ; after = page.at(-1)?.id as number) {
    page = await facilitiesAfter(tx, after, pageLength)
    if (page.length === 0) return
    await removeFacilities(
      context,
      page.filter(({ idExternal }) => !named.has(idExternal)),
    )
  }
}

export async function removeFacilities(context: EstateContext, facilities: Facility[]): Promise<void> {
  for (const facility of facilities) await noteFacility(context, facility)
  await deleteFacilities(
    context.tx,
    facilities.map(({ id }) => id),
  )
}

async function noteFacility(context: EstateContext, facility: Facility): Promise<void> {
  const { tx, tally, note } = context
  const { areas, openRooms, subscriptions } = await contentsOf(tx, facility)
  const lost = [
    ...counted(areas, 'area'),
    ...counted(openRooms, 'open room'),
    ...counted(subscriptions, 'subscription'),
  ]
  tally.facilities.removed++
  tally.areas.removed += areas
  note({ sign: '-', noun: 'facility', id: facility.idExternal, changes: [], lost })
  const [list = []] = (await listsOf(tx, [facility])).values()
  const removed = (await areasOf(tx, [facility])).get(facility.id) ?? []
  const changes = facilityRemoval(facility, list, await grantsNaming(tx, facility.id))
  const detail = { areas, changes, ...(areas > 0 && { area_changes: removed.map(areaRemoval) }) }
  await record(context, 'facility.remove', { facility: facility.idExternal }, detail)
}

async function prunePartners(context: EstateContext, named: ReadonlySet<string>): Promise<void> {
  const { tx } = context
  let page: string[]
  for (let after = ''; ; after = page.at(-1) as string) {
    page = await partnerIdsAfter(tx, after, pageLength)
    if (page.length === 0) return
    for (const id of page.filter((partner) => !named.has(partner))) await removePartner(context, id)
  }
}

/** Removes a partner with its grants, tokens, webhooks and sandbox. */
export async function removePartner(context: EstateContext, id: string): Promise<void> {
  const { tx, tally, note } = context
  const sandbox = await findSandbox(tx, { owner: id })
  const partner = await findPartnerWithGrants(tx, id)
  if (partner === undefined) return
  const lost = [...counted(await tokenCount(tx, id), 'token'), ...(sandbox ? ['its sandbox'] : [])]
  const changes = partnerRemoval(partner, await listTokens(tx, id), await listWebhooks(tx, id))
  note({ sign: '-', noun: 'partner', id, changes: [], lost })
  if (sandbox !== undefined) await removeSandbox(context, sandbox)
  await deletePartner(tx, id)
  await record(context, 'partner.remove', { partner: id }, { changes })
  tally.partners.removed++
}

/** Removes a sandbox. Reports no differences, because a sandbox is not part of the estate file. */
export async function removeSandbox(
  context: EstateContext,
  { id, owner, facilities, aheadMs }: Sandbox,
): Promise<void> {
  const { tx } = context
  await deleteFacilities(
    tx,
    facilities.map((facility) => facility.id),
  )
  await deletePartner(tx, id)
  for (const { idExternal } of facilities) await record(context, 'facility.remove', { facility: idExternal }, {})
  await record(context, 'partner.remove', { partner: id }, {})
  const values = { sandbox: id, facilities: facilities.map(({ copyOf }) => copyOf), clock_ahead_ms: aheadMs }
  await record(context, 'sandbox.remove', { partner: owner }, { changes: removed(values) })
}

function record(
  { tx, now, actor }: EstateContext,
  action: AuditAction,
  { facility, partner }: { facility?: string; partner?: string },
  detail: object,
): Promise<void> {
  return recordAudits(tx, [{ at: now, actor, action, facility, partner, detail }])
}

function counted(count: number, noun: string): string[] {
  if (count === 0) return []
  return [`${count} ${noun}${count === 1 ? '' : 's'}`]
}
