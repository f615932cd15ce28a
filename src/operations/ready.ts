import type { Access } from '../domain/grant.ts'
import type { KnownFacility } from '../storage/memory/facilities.ts'
import { type Memory, slots } from '../storage/memory/memory.ts'
import { accessTo, type KnownPartner } from '../storage/memory/partners.ts'
import type { KeptAnswer } from '../storage/memory/ready-answer.ts'
import type { TagAlone } from '../storage/memory/tags.ts'

/** The reads whose answers are kept. */
export type ReadyKind = 'facilities' | 'facility' | 'areas' | 'list'

export interface Reading {
  kind: ReadyKind
  facility: string
  /** It was asked for with `If-None-Match`. */
  knowsOne: boolean
}

const fields = { areas: 'areas', list: 'areas_autocomplete_list' } as const

/** As `accessTo`, remembered with the facility: mostly the same partner asks for it again. */
function accessOf(partner: KnownPartner, facility: KnownFacility): Access | undefined {
  if (facility.seenBy === partner) return facility.seenWith
  facility.seenBy = partner
  facility.seenWith = accessTo(partner, facility.idExternal)
  return facility.seenWith
}

/**
 * The answer to a read, when it is at hand and the partner may have it; to be written at once. For those who know an
 * earlier one, its tag is enough. The memory must have caught up. Nothing says nothing: the operations find out why.
 */
export function readyAnswer(
  memory: Memory,
  partner: KnownPartner,
  { kind, facility: facilityId, knowsOne }: Reading,
): KeptAnswer | TagAlone | undefined {
  if (kind === 'facilities') return memory.listOf(partner)
  const facility = memory.facilities.get(facilityId)
  const access = facility && accessOf(partner, facility)
  if (access === undefined || facility === undefined) return undefined
  if (kind === 'facility') return memory.answers.get(facility, access.readMask)
  if (!access.read.has(fields[kind])) return undefined
  const slot = slots[kind]
  return memory.answers.get(facility, slot) ?? (knowsOne ? memory.answers.tagOf(facility, slot) : undefined)
}
