import type { Grant } from '../../domain/access/grant.ts'
import type { Partner, PartnerWithGrants } from '../../domain/access/partner.ts'
import type { AuditAction } from '../../domain/audit/audit.ts'
import { partnerCreation } from '../../domain/audit/estate-audit.ts'
import { loggedChange, partnerChanges } from '../../domain/estate-difference.ts'
import { bumpPartner } from '../../storage/access/access.ts'
import { recordAudits } from '../../storage/audit/audit.ts'
import { facilityNumbers } from '../../storage/estate/estate-area.ts'
import {
  findPartnerWithGrants,
  insertPartner,
  replaceGrants,
  updatePartner,
} from '../../storage/estate/estate-partner.ts'
import type { EstateContext, PartnerItem } from './estate-context.ts'

export async function applyPartner(context: EstateContext, item: PartnerItem): Promise<void> {
  const { tx, tally, note } = context
  const { id } = item.partner
  const current = await findPartnerWithGrants(tx, id)
  if (current === undefined) {
    const created = await createPartner(context, item)
    if (created === undefined) return
    await record(context, 'partner.create', id, { changes: partnerCreation(created) })
    tally.partners.created++
    return note({ sign: '+', noun: 'partner', id, changes: [], lost: [] })
  }
  const { fields, changes } = partnerChanges(current, item.partner)
  if (changes.length === 0) {
    tally.partners.unchanged++
    return
  }
  const { grants, ...own } = fields
  if (Object.keys(own).length > 0) await updatePartner(tx, id, own)
  if (grants !== undefined) await setGrants(context, item, grants)
  bumpPartner(tx, id)
  await record(context, 'partner.update', id, { changes: changes.map(loggedChange) })
  tally.partners.updated++
  note({ sign: '~', noun: 'partner', id, changes, lost: [] })
}

function record(
  { tx, now, actor }: EstateContext,
  action: AuditAction,
  partner: string,
  detail: object,
): Promise<void> {
  return recordAudits(tx, [{ at: now, actor, action, partner, detail }])
}

/** Adds a fault if the item has no name for the new partner. */
async function createPartner(context: EstateContext, item: PartnerItem): Promise<PartnerWithGrants | undefined> {
  const { id, name, contract = null, rateLimit = null, webhooks = false, grants = [] } = item.partner
  if (name === undefined) {
    context.faults.add({ line: item.line, message: `partner ${id}: it is new and needs a name` })
    return undefined
  }
  const partner: Partner = { id, name, contract, rateLimit, webhooks }
  await insertPartner(context.tx, partner)
  await setGrants(context, item, grants)
  return { ...partner, grants }
}

async function setGrants({ tx, faults }: EstateContext, item: PartnerItem, grants: Grant[]): Promise<void> {
  const named = new Set(grants.flatMap(({ facilities }) => (facilities === '*' ? [] : facilities)))
  const existing = await facilityNumbers(tx, [...named])
  const numbers = new Map(existing.map(({ id, idExternal }) => [idExternal, id]))
  const unknown = [...named].filter((facility) => !numbers.has(facility))
  for (const facility of unknown) {
    faults.add({
      ...item,
      pointer: pointerTo(facility, grants),
      message: `partner ${item.partner.id}: a grant names facility ${facility}, which is not known`,
    })
  }
  if (unknown.length === 0) await replaceGrants(tx, item.partner.id, grants, numbers)
}

/** Returns the JSON pointer to the facility's id in the first grant that names it. */
function pointerTo(facility: string, grants: Grant[]): string {
  const at = grants.findIndex(({ facilities }) => facilities !== '*' && facilities.includes(facility))
  return `/grants/${at}/facilities/${grants[at]?.facilities.indexOf(facility)}`
}
