import type { Grant } from '../../domain/access/grant.ts'
import type { PartnerWithGrants } from '../../domain/access/partner.ts'
import type { Actor } from '../../domain/audit/audit.ts'
import { created } from '../../domain/audit/estate-audit.ts'
import { entriesJson } from '../../domain/autocomplete-list.ts'
import type { EstateFacility } from '../../domain/estate.ts'
import type { Facility } from '../../domain/facility.ts'
import { type Fault, Refusal, refusalFor } from '../../domain/refusal.ts'
import {
  copyIdOf,
  maxSandboxAreas,
  maxSandboxFacilities,
  newSandboxId,
  type Sandbox,
  type SandboxFacility,
} from '../../domain/sandbox.ts'
import { recordAudit } from '../../storage/audit/audit.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { areasOf } from '../../storage/estate/estate-area.ts'
import { facilitiesNamed, listsOf } from '../../storage/estate/estate-facility.ts'
import { findPartnerWithGrants } from '../../storage/estate/estate-partner.ts'
import { findSandbox, insertSandbox, takeNumbers } from '../../storage/sandbox.ts'
import { applyFacilities } from '../estate/apply-facilities.ts'
import { applyPartner } from '../estate/apply-partner.ts'
import { changeEstate } from '../estate/change-estate.ts'
import type { EstateContext } from '../estate/estate-context.ts'
import { removeSandbox as remove } from '../estate/prune-estate.ts'
import { requirePartner } from './partner.ts'

/** Lists the sandboxes of a partner: none or one. */
export function listSandboxes(db: Db, owner: string): Promise<Sandbox[]> {
  return db.read(async (tx) => {
    const { id } = await requirePartner(tx, owner)
    const sandbox = await findSandbox(tx, { owner: id })
    return sandbox === undefined ? [] : [sandbox]
  })
}

/**
 * Copies the chosen facilities, without guest data, and creates a partner for tests, which has the permissions of the
 * partner `owner` on the copies.
 */
export function createSandbox(db: Db, actor: Actor, owner: string, chosen: string[]): Promise<Sandbox> {
  return changeEstate(db, actor, async (context) => {
    const { tx, now } = context
    const partner = await requireOwner(tx, owner)
    const originals = await requireFacilities(tx, partner, chosen)
    const id = newSandboxId()
    const copies = await copiesOf(tx, id, originals)
    await applyFacilities(
      context,
      copies.map(({ facility }) => ({ kind: 'facility', facility })),
    )
    await applyPartner(context, { kind: 'partner', partner: partnerOf(id, partner, chosen) })
    context.faults.throwIfAny()
    const facilities = copies.map(({ record }) => record)
    const sandbox = { id, owner, aheadMs: 0, setTo: null, dateCreated: now, lastReset: null, facilities }
    await insertSandbox(tx, sandbox)
    recordCreation(context, sandbox)
    return sandbox
  })
}

function recordCreation({ tx, actor, now }: EstateContext, { id, owner, facilities }: Sandbox): void {
  const detail = { changes: created({ sandbox: id, facilities: facilities.map(({ copyOf }) => copyOf) }) }
  recordAudit(tx, { at: now, actor, action: 'sandbox.create', partner: owner, detail })
}

async function requireOwner(tx: Tx, owner: string): Promise<PartnerWithGrants> {
  const partner = await findPartnerWithGrants(tx, owner)
  if (partner === undefined || (await findSandbox(tx, { id: owner })) !== undefined) {
    throw new Refusal('partner_not_found', 'There is no partner with this id.')
  }
  if ((await findSandbox(tx, { owner })) === undefined) return partner
  throw new Refusal('sandbox_exists', 'This partner has a sandbox already.')
}

/** Keeps the order of `chosen`. Refuses unknown facilities and those that no grant of the partner covers. */
async function requireFacilities(tx: Tx, { grants }: PartnerWithGrants, chosen: string[]): Promise<Facility[]> {
  if (chosen.length === 0 || chosen.length > maxSandboxFacilities || new Set(chosen).size < chosen.length) {
    throw refused([
      { pointer: '/facilities', detail: `must name 1 to ${maxSandboxFacilities} facilities, each of them once` },
    ])
  }
  const byId = new Map((await facilitiesNamed(tx, chosen)).map((facility) => [facility.idExternal, facility]))
  const faults = chosen.flatMap((id, at): Fault[] => {
    const fault = !byId.has(id) ? 'is no facility' : covering(grants, id).length === 0 ? 'is covered by no grant' : ''
    return fault === '' ? [] : [{ pointer: `/facilities/${at}`, detail: `${id} ${fault} of this partner` }]
  })
  if (faults.length > 0) throw refused(faults)
  return chosen.map((id) => byId.get(id) as Facility)
}

function refused(faults: Fault[]): Refusal {
  return refusalFor('body_invalid', 'No sandbox was created.', faults)
}

function covering(grants: Grant[], facility: string): Grant[] {
  return grants.filter(({ facilities }) => facilities === '*' || facilities.includes(facility))
}

interface Copy {
  facility: EstateFacility
  record: SandboxFacility
}

async function copiesOf(tx: Tx, sandbox: string, originals: Facility[]): Promise<Copy[]> {
  const [areas, lists] = [await areasOf(tx, originals), await listsOf(tx, originals)]
  const total = originals.reduce((sum, { id }) => sum + (areas.get(id)?.length ?? 0), 0)
  if (total > maxSandboxAreas) {
    const detail = `have ${total} areas together; a sandbox can have ${maxSandboxAreas}`
    throw refused([{ pointer: '/facilities', detail }])
  }
  const numbers = await takeNumbers(tx, originals.length)
  return originals.map(({ dateCreated: _created, dateUpdated: _updated, ...original }, at) => {
    const id = numbers[at] as number
    const idExternal = copyIdOf(sandbox, original.idExternal)
    const rooms = (areas.get(original.id) ?? []).map(({ short, name, dataGeneral }) => ({
      id: short,
      name,
      dataGeneral,
    }))
    const entries = lists.get(original.id) ?? []
    const { name, ssidPublic: ssid_public, subscriptionUrl: subscription_url } = original
    const start = { name, ssid_public, subscription_url, entries: entriesJson(idExternal, entries) }
    return {
      facility: { ...original, id, idExternal, areas: rooms, entries },
      record: { id, idExternal, copyOf: original.idExternal, name, start },
    }
  })
}

/** Returns the partner of a sandbox. It has the grants of the owner, but on the copies instead of the originals. */
function partnerOf(id: string, owner: PartnerWithGrants, chosen: string[]) {
  const { name, contract, rateLimit, webhooks } = owner
  const grants = owner.grants.flatMap((grant): Grant[] => {
    const covered = chosen.filter((facility) => covering([grant], facility).length > 0)
    return covered.length === 0 ? [] : [{ ...grant, facilities: covered.map((facility) => copyIdOf(id, facility)) }]
  })
  return { id, name: `${name} (sandbox)`, contract, rateLimit, webhooks, grants }
}

/** Removes the sandbox of a partner, with the sandbox's facilities and tokens. */
export function removeSandbox(db: Db, actor: Actor, owner: string): Promise<Sandbox> {
  return changeEstate(db, actor, async (context) => {
    const sandbox = await findSandbox(context.tx, { owner }, { lock: true })
    if (sandbox === undefined) throw new Refusal('sandbox_not_found', 'This partner has no sandbox.')
    await remove(context, sandbox)
    return sandbox
  })
}
