/** The responses that are cached per facility. `list` is the facility's autocomplete list. */
export const facilityResponses = ['facility', 'areas', 'list'] as const

export type FacilityResponse = (typeof facilityResponses)[number]

/** The kinds of cached responses. `facilities` is the list of facilities that a partner can see. */
export type CachedKind = FacilityResponse | 'facilities'

/**
 * Returns the key of a cached response. `id` is a partner's id for the kind `facilities`, otherwise the facility's
 * external id.
 */
export function responseKey(kind: CachedKind, id: string): string {
  return `${kind} ${id}`
}
