import type { Memory } from '../storage/memory/memory.ts'
import { slots } from '../storage/memory/memory.ts'
import { accessTo, type KnownPartner } from '../storage/memory/partners.ts'
import type { ReadyAnswer } from '../storage/memory/ready-answer.ts'

/** The reads whose responses are cached. */
export type CachedKind = 'facilities' | 'facility' | 'areas' | 'list'

const fields = { areas: 'areas', list: 'areas_autocomplete_list' } as const

/**
 * Returns the cached response to a read that the partner may have. The cache must be current. Undefined says nothing:
 * the operations find out why.
 */
export function cachedRead(
  memory: Memory,
  partner: KnownPartner,
  kind: CachedKind,
  facilityId: string,
): ReadyAnswer | undefined {
  if (kind === 'facilities') return memory.listOf(partner)?.held()
  const access = accessTo(partner, facilityId)
  const facility = access && memory.facilities.get(facilityId)
  if (access === undefined || facility === undefined) return undefined
  if (kind === 'facility') return memory.answers.get(facility, access.readMask)?.held()
  return access.read.has(fields[kind]) ? memory.answers.get(facility, slots[kind])?.held() : undefined
}
