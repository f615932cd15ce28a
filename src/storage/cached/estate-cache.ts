import { Freshness } from '../../cache/freshness.ts'
import { LoadingCache } from '../../cache/loading-cache.ts'
import type { CacheMetrics } from '../../cache/lru-cache.ts'
import { type Body, type CachedResponse, ResponseCache } from '../../cache/response-cache.ts'
import { type AuditAction, auditActions, type Scope } from '../../domain/audit/audit.ts'
import type { MaybePromise } from '../../domain/maybe.ts'
import type { Change, Changes, Engine } from '../engine.ts'
import { type CachedFacility, loadFacility, RoomIndex } from './facility.ts'
import { type CachedPartner, loadPartner, partnerBytes } from './partner.ts'
import { type CachedToken, loadToken, tokenBytes } from './token.ts'

const facilityResponses = ['facility', 'areas', 'list'] as const

export type FacilityResponse = (typeof facilityResponses)[number]

/** The kinds of cached responses. `facilities` is the list of facilities that a partner can see. */
export type CachedKind = FacilityResponse | 'facilities'

/** `id` is the partner's id for the kind `facilities`, otherwise the facility's external id. */
export function responseKey(kind: CachedKind, id: string): string {
  return `${kind} ${id}`
}

/**
 * The data that a change in a facility makes stale. `lists`: the facility lists of all partners. `rooms`: the cached
 * facility and the rooms that refer to it. `grants`: all partners with their grants.
 */
type Stale = FacilityResponse | 'lists' | 'rooms' | 'grants'

/**
 * The data of a facility that becomes stale through an audit entry that names it, by the scope of the entry's action.
 * Unless the scope is `nothing`, the partner that the entry names becomes stale as well, with its tokens and its
 * facility list.
 */
const staleAfter: Record<Exclude<Scope, 'everything'>, readonly Stale[]> = {
  nothing: [],
  room: ['areas'],
  // The response about a facility includes the number of entries of its autocomplete list.
  list: ['list', 'facility'],
  property: ['facility', 'lists'],
  facility: [...facilityResponses, 'lists', 'rooms'],
  // Deleting a facility deletes the grants on it, which must not apply to a later facility with the same external id.
  facility_gone: [...facilityResponses, 'lists', 'rooms', 'grants'],
  partner: [],
  operators: [],
}

const facilityBytes = 250

/**
 * The cache of a node, limited to a number of bytes. Invariant: after `ensureFresh`, all cached data reflects the
 * newest committed state, whichever node committed it. At most once per turn of the event loop, `ensureFresh` polls for
 * new audit entries and invalidates what they made stale; a cache hit needs no other query.
 */
export class EstateCache {
  /** Tokens by the SHA-256 of their secrets. */
  readonly tokens: LoadingCache<CachedToken>
  readonly partners: LoadingCache<CachedPartner>
  readonly facilities: LoadingCache<CachedFacility>
  readonly rooms: RoomIndex
  readonly responses: ResponseCache
  readonly #freshness: Freshness<Changes>
  /** The ids of partners whose facility list might be in the response cache. */
  readonly #listed = new Set<string>()

  constructor({ ask, pollChanges }: Pick<Engine, 'ask' | 'pollChanges'>, maxBytes: number) {
    this.responses = new ResponseCache(maxBytes * 0.74)
    this.partners = new LoadingCache<CachedPartner>({
      maxBytes: maxBytes * 0.11,
      bytesOf: (_, partner) => partnerBytes(partner),
      load: (id) => loadPartner(ask, id),
    })
    this.tokens = new LoadingCache<CachedToken>({
      maxBytes: maxBytes * 0.06,
      bytesOf: (_, token) => tokenBytes(token),
      load: (hash) => loadToken(ask, this.partners, (partner) => this.invalidatePartner(partner), hash),
      isCurrent: ({ partner }) => this.partners.has(partner.id, partner),
    })
    this.facilities = new LoadingCache<CachedFacility>({
      maxBytes: maxBytes * 0.05,
      bytesOf: (id) => facilityBytes + id.length,
      load: (id) => loadFacility(ask, id),
    })
    this.rooms = new RoomIndex(ask, this.facilities, maxBytes * 0.04)
    this.#freshness = new Freshness(pollChanges, (changes) => this.#invalidate(changes))
  }

  get metrics(): Record<string, CacheMetrics> {
    const { responses, tokens, partners, facilities, rooms } = this
    return {
      answers: responses.metrics,
      tags: responses.etagMetrics,
      tokens: tokens.metrics,
      partners: partners.metrics,
      facilities: facilities.metrics,
      places: rooms.metrics,
    }
  }

  ensureFresh(): Promise<void> | undefined {
    return this.#freshness.ensureFresh()
  }

  /** Makes the next `ensureFresh` poll again. Called when this process begins or ends a transaction. */
  expire(): void {
    this.#freshness.expire()
  }

  loadList(partner: string, load: () => MaybePromise<Body>): MaybePromise<CachedResponse> {
    this.#listed.add(partner)
    return this.responses.load(responseKey('facilities', partner), '', load)
  }

  /** Invalidates a partner. Keeps running loads of tokens out of the cache, as they may have read the old partner. */
  invalidatePartner(id: string): void {
    this.partners.invalidate(id)
    this.tokens.invalidateLoads()
    this.responses.invalidate(responseKey('facilities', id))
  }

  clear(): void {
    this.tokens.clear()
    this.partners.clear()
    this.facilities.clear()
    this.rooms.clear()
    this.responses.clear()
    this.#listed.clear()
  }

  #invalidate(changes: Changes): void {
    if (changes === 'everything') return this.clear()
    for (const change of changes) this.#invalidateAfter(change)
  }

  #invalidateAfter({ action, facility, partner }: Change): void {
    const scope: Scope | undefined = auditActions[action as AuditAction]
    // An unknown action comes from a newer version of Atrium on another node, so all cached data may be stale.
    if (scope === undefined || scope === 'everything') return this.clear()
    if (partner !== null && scope !== 'nothing') this.invalidatePartner(partner)
    if (facility !== null) for (const stale of staleAfter[scope]) this.#invalidateIn(facility, stale)
  }

  #invalidateIn(facility: string, stale: Stale): void {
    if (stale === 'lists') this.#invalidateLists()
    else if (stale === 'rooms') {
      this.facilities.invalidate(facility)
      this.rooms.invalidateLoads()
    } else if (stale === 'grants') {
      this.partners.clear()
      this.tokens.invalidateLoads()
    } else this.responses.invalidate(responseKey(stale, facility))
  }

  #invalidateLists(): void {
    for (const partner of this.#listed) this.responses.invalidate(responseKey('facilities', partner))
    this.#listed.clear()
  }
}
