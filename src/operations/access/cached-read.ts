import type { Body, CachedEtag, CachedResponse, Loaded } from '../../cache/response-cache.ts'
import type { Access, Need } from '../../domain/access/grant.ts'
import type { MaybePromise } from '../../domain/maybe.ts'
import { type Permissions, permit } from '../../domain/permission.ts'
import {
  type CachedKind,
  type EstateCache,
  type FacilityResponse,
  responseKey,
} from '../../storage/cached/estate-cache.ts'

export type { CachedKind }

type Reader = Permissions & { readonly id: string }

export const needs = {
  facility: 'none',
  areas: { read: 'areas' },
  list: { read: 'areas_autocomplete_list' },
} as const satisfies Record<FacilityResponse, Need>

/**
 * Returns a cached response, or undefined. The caller must have brought the cache up to date. If the body was evicted,
 * returns only its ETag if `isEnough` accepts it, because a 304 needs no body.
 */
export function cachedRead(
  { responses }: EstateCache,
  partner: Reader,
  kind: CachedKind,
  facility: string,
  isEnough: (etag: string) => boolean = () => false,
): CachedResponse | CachedEtag | undefined {
  if (kind === 'facilities') return responses.get(responseKey(kind, partner.id))
  const access = permit(partner, facility, needs[kind])
  if (typeof access === 'string') return undefined
  const key = responseKey(kind, facility)
  return responses.get(key, variantOf(kind, access)) ?? responses.etagOf(key, isEnough)
}

/** Returns the cached response, or makes and caches it. `access` must come from `permit`, which checks permission. */
export function loadResponse<B extends Body | undefined>(
  { responses }: EstateCache,
  access: Access,
  kind: FacilityResponse,
  facility: string,
  make: () => MaybePromise<B>,
): Loaded<B> {
  return responses.load(responseKey(kind, facility), variantOf(kind, access), make)
}

/** Partners that may read the same fields of a facility share one response. */
function variantOf(kind: FacilityResponse, { readMask }: Access): string {
  return kind === 'facility' ? String(readMask) : ''
}
