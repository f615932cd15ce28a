/** The responses cached per facility; `list` is its autocomplete list. */
export const facilityResponses = ['facility', 'areas', 'list'] as const

export type FacilityResponse = (typeof facilityResponses)[number]

/** The kinds of cached responses; `facilities` is the list of a partner's facilities. */
export type CachedKind = FacilityResponse | 'facilities'

/** Returns the cache key. `id` is the partner's for `facilities`, otherwise the facility's. */
export function responseKey(kind: CachedKind, id: string): string {
  return `${kind} ${id}`
}
