import { type Access, addUp, demand, type Need, reliesOnServices } from '../domain/grant.ts'
import { isFacilityId, isSandboxId } from '../domain/identifier.ts'
import { Refusal } from '../domain/refusal.ts'
import { hasControlCharacter } from '../domain/text.ts'
import { confirmPartner } from '../storage/access.ts'
import type { BatchTx } from '../storage/engine.ts'
import type { KnownFacility } from '../storage/memory/facilities.ts'
import type { Maybe } from '../storage/memory/maybe.ts'
import type { Memory } from '../storage/memory/memory.ts'
import { accessTo, type KnownPartner } from '../storage/memory/partners.ts'
import { type Caller, isUsable, unusable } from './authenticate.ts'

export interface Visible {
  facility: KnownFacility
  access: Access
}

/**
 * The only way to a facility on a partner's behalf, which may be loaded together with what is asked of it. Hidden and
 * absent are told apart by nothing, work included.
 */
export async function facilityFor(
  memory: Memory,
  partner: KnownPartner,
  need: Need,
  externalId: string,
  load?: (idExternal: string) => Maybe<KnownFacility | undefined>,
): Promise<Visible> {
  const access = accessTo(partner, externalId)
  if (access === undefined) throw missingFacility(partner)
  const facility = isFacilityId(externalId) ? await memory.facilities.find(externalId, load) : undefined
  if (facility === undefined) throw missingFacility(partner)
  demand(access, facility.idExternal, need)
  return { facility, access }
}

/** Only from a partner that sees every facility nothing is hidden. */
export function missingFacility(partner: KnownPartner): Refusal {
  if (partner.everywhere === undefined) return hidden()
  return new Refusal('facility_not_found', 'There is no facility with this id.')
}

function hidden(): Refusal {
  return new Refusal('facility_not_granted', 'No grant of this partner covers this facility.')
}

/** The only way to a room on a partner's behalf. */
export async function areaFor(memory: Memory, partner: KnownPartner, need: Need, fullId: string): Promise<Visible> {
  const known = memory.places.get(fullId)
  const isSeen = (facility: string) => accessTo(partner, facility) !== undefined
  const facility = known !== undefined && isSeen(known.idExternal) ? known : await lookUp(memory, fullId, isSeen)
  if (facility === undefined) throw missingArea()
  return roomIn(facility, partner, need)
}

/** The same where the facility of the room is known. */
export function roomIn(facility: KnownFacility, partner: KnownPartner, need: Need): Visible {
  const access = accessTo(partner, facility.idExternal)
  if (access === undefined) throw missingArea()
  demand(access, facility.idExternal, need)
  demandSupport(facility, reliesOnServices(access, need))
  return { facility, access }
}

function demandSupport({ idExternal, roomServices }: KnownFacility, isForServices: boolean): void {
  if (!isForServices || roomServices) return
  throw new Refusal('room_services_unsupported', `Facility ${idExternal} has no per-room services.`)
}

const noAccess = addUp([])

/** The facility of a room on an operator's behalf: no grant is asked for. */
export async function facilityOfRoom(memory: Memory, need: Need, fullId: string): Promise<KnownFacility> {
  await memory.catchUp()
  const facility = memory.places.get(fullId) ?? (await lookUp(memory, fullId, () => true))
  if (facility === undefined || isSandboxId(facility.idExternal)) {
    throw new Refusal('area_not_found', 'There is no area with this id.')
  }
  demandSupport(facility, reliesOnServices(noAccess, need))
  return facility
}

function lookUp(
  memory: Memory,
  fullId: string,
  isSeen: (facility: string) => boolean,
): Maybe<KnownFacility | undefined> {
  return hasControlCharacter(fullId) ? undefined : memory.facilityOfRoom(fullId, isSeen)
}

export function missingArea(): Refusal {
  return new Refusal('area_not_found', 'There is no area with this id among the facilities this partner can see.')
}

/** Who is asking, asked again in a writing transaction: bodies can be slow to arrive, and rows to be had. */
export async function callerIn(tx: BatchTx, memory: Memory, { token, partner }: Caller): Promise<KnownPartner> {
  if (tx.alone) await memory.catchUp()
  const current = token === undefined ? undefined : await memory.tokens.find(token.id)
  if (token !== undefined && (current === undefined || !isUsable(current))) throw unusable()
  const found = current?.partner ?? (await memory.partners.find(partner.id))
  if (found === undefined) throw unusable()
  await confirmPartner(tx, memory, found)
  return found
}
