import { Refusal } from './refusal.ts'
import { etagOf } from './representation.ts'

/** What the caller believes of the resource that it is about to change. */
export interface Precondition {
  /** From If-Match. */
  etags?: string[] | '*'
  /** From Atrium-Cycle. */
  cycle?: string
}

/** `json` is the resource as this caller sees it. */
export function requireCurrent(precondition: Precondition, json: string): void {
  requireEtag(precondition, () => etagOf(json))
}

/** The same where the tag is found in another way; any one of several will do. */
export function requireEtag({ etags }: Precondition, ...tags: (() => string)[]): void {
  if (etags === undefined || etags === '*' || tags.some((tag) => etags.includes(tag()))) return
  throw new Refusal(
    'precondition_failed',
    'The ETag in If-Match is not the current one: read the resource again, then decide.',
  )
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** What cannot be a cycle is a mistake of the caller's, and must not read as "the guest has left". */
export function assertCycleFormat({ cycle }: Precondition): void {
  if (cycle === undefined || uuid.test(cycle)) return
  throw new Refusal('header_invalid', 'Atrium-Cycle must be the "cycle" of an area, a UUID.')
}

export function requireCycle(precondition: Precondition, current: string | null): void {
  if (precondition.cycle === undefined || precondition.cycle === current) return
  throw new Refusal('cycle_ended', 'The room is no longer in the occupation cycle named by Atrium-Cycle.')
}
