/** What is cached about each facility. */
export const facilityResponses = ['facility', 'areas', 'list'] as const

export type FacilityResponse = (typeof facilityResponses)[number]

/** The responses that are cached: those about facilities, and the list of a partner's facilities. */
export type CachedKind = FacilityResponse | 'facilities'

/** `id` is that of the partner for its list of facilities, otherwise that of the facility. */
export function responseKey(kind: CachedKind, id: string): string {
  return `${kind} ${id}`
}
