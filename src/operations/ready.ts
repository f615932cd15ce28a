import type { Access } from '../domain/grant.ts'
import type { KeptAnswer } from '../storage/memory/answers.ts'
import type { KnownFacility } from '../storage/memory/facilities.ts'
import { type Memory, slots } from '../storage/memory/memory.ts'
import { accessTo, type KnownPartner } from '../storage/memory/partners.ts'

/** The reads whose answers are kept. */
export type ReadyKind = 'facilities' | 'facility' | 'areas' | 'list'

/** As `accessTo`, remembered with the facility: mostly the same partner asks for it again. */
function accessOf(partner: KnownPartner, facility: KnownFacility): Access | undefined {
  if (facility.seenBy === partner) return facility.seenWith
  facility.seenBy = partner
  facility.seenWith = accessTo(partner, facility.idExternal)
  return facility.seenWith
}

/**
 * The answer to a read, when it is at hand and the partner may have it; to be written at once. The memory must have
 * caught up. Nothing says nothing: the operations find out why.
 */
export function readyAnswer(
  memory: Memory,
  partner: KnownPartner,
  kind: ReadyKind,
  facilityId: string,
): KeptAnswer | undefined {
  if (kind === 'facilities') return memory.listOf(partner)
  const facility = memory.facilities.get(facilityId)
  const access = facility && accessOf(partner, facility)
  if (access === undefined || facility === undefined) return undefined
  if (kind === 'facility') return memory.answers.get(facility, access.readMask)
  if (kind === 'areas') return access.read.has('areas') ? memory.answers.get(facility, slots.areas) : undefined
  return access.read.has('areas_autocomplete_list') ? memory.answers.get(facility, slots.list) : undefined
}
