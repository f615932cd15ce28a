import { Refusal } from './refusal.ts'
import { etagOf } from './representation.ts'

export interface Precondition {
  /** The ETags in the header If-Match, one of which must be the current one; `*` for any. */
  etags?: string[] | '*'
  /** The cycle in `Atrium-Cycle`, which must be the room's current one; null if the room must be closed. */
  cycle?: string | null
}

/** Checks the header If-Match against the ETag of `json`, the current resource as the caller may see it. */
export function requireCurrent(precondition: Precondition, json: string): void {
  requireEtag(precondition, () => etagOf(json))
}

/** Checks the header If-Match against one or more current ETags, which are computed only if the header was sent. */
export function requireEtag({ etags }: Precondition, ...tags: (() => string)[]): void {
  if (etags === undefined || etags === '*' || tags.some((tag) => etags.includes(tag()))) return
  throw new Refusal(
    'precondition_failed',
    'The ETag in If-Match is not the current one: read the resource again, then decide.',
  )
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Returns whether a text can be the id of a cycle: a UUID. */
export function isCycle(text: string): boolean {
  return uuid.test(text)
}

/**
 * Refuses a malformed `Atrium-Cycle`: otherwise it would be taken for the id of an earlier cycle (the stay of a guest),
 * and the refusal `cycle_ended` would wrongly say that the guest has left.
 */
export function assertCycleFormat({ cycle }: Precondition): void {
  if (cycle === undefined || cycle === null || isCycle(cycle)) return
  throw new Refusal('header_invalid', 'Atrium-Cycle must be the "cycle" of an area, a UUID.')
}

export function requireCycle(precondition: Precondition, current: string | null): void {
  if (precondition.cycle === undefined || precondition.cycle === current) return
  if (precondition.cycle === null) throw new Refusal('room_occupied', 'The room was opened since: it has a guest now.')
  throw new Refusal('cycle_ended', 'The room is no longer in the cycle named by Atrium-Cycle.')
}
