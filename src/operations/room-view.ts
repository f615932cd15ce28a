import type { Access, RoomOperation } from '../domain/access/grant.ts'
import { parseExactly } from '../domain/exact-json.ts'
import { type Precondition, requireCycle, requireEtag } from '../domain/precondition.ts'
import { etagOf, type Representation, representJson } from '../domain/representation.ts'
import { parseSubscription, type Room, roomJson, servicesJson, withoutGeneral } from '../domain/room/stored-room.ts'
import { isActive } from '../domain/room/subscription.ts'
import { findRoom, type RoomWithSubscriptions } from '../storage/area.ts'
import type { CachedPartner } from '../storage/cached/partner.ts'
import type { Db } from '../storage/database.ts'
import { areaFor } from './access/lookup.ts'
import { type ActiveAt, parseActiveAt } from './area.ts'
import type { ParseQuery } from './page.ts'

export interface ChangedRoom {
  /** The JSON of the area, with the fields that the caller may read. */
  area: string
  /** The subscriptions of the room, as a JSON array. */
  services: string
  etag: string
  replayed: boolean
  /** Whether the request changed the room. Also true for a retry, which gets an earlier request's response. */
  isChanged: boolean
}

/** Returns the JSON of a room without fields that a partner may not read. Operators (no `access`) may read all. */
export function seenBy(access: Access | undefined, json: string, room: Room): string {
  return access === undefined || access.read.has('areas') ? json : withoutGeneral(json, room)
}

/** Accepts for a change of services the ETag of the area or that of its services in `If-Match`. */
export function assertPrecondition(
  found: RoomWithSubscriptions,
  precondition: Precondition,
  operation: RoomOperation,
  access: Access | undefined,
): void {
  const { room, subscriptions } = found
  requireCycle(precondition, room.cycle)
  const tags = [() => etagOf(seenBy(access, roomJson(room, subscriptions), room))]
  if (operation === 'services') tags.push(() => etagOf(servicesJson(subscriptions)))
  requireEtag(precondition, ...tags)
}

const again = { replayed: true, isChanged: true }

/** Returns the response stored under an Idempotency-Key, without fields that the partner may no longer read. */
export function replay({ json, etag }: Representation, access: Access | undefined): ChangedRoom {
  const area = parseExactly(json) as { data_services: object[]; data_general?: object[] }
  const services = JSON.stringify(area.data_services)
  const isReadable = access === undefined || access.read.has('areas')
  return { area: isReadable ? json : replayedArea(area, access), services, etag, ...again }
}

/** Serializes an area from a stored response, without fields that the partner may no longer read. */
export function replayedArea(area: { data_general?: object[] }, access: Access | undefined): string {
  if (access === undefined || access.read.has('areas')) return JSON.stringify(area)
  const { data_general: _, ...seen } = area
  return JSON.stringify(seen)
}

/** The permission that reading services requires: to read areas or, instead, to change services. */
export const needToReadServices = { read: 'areas', orRooms: 'services' } as const

/** Returns the subscriptions of a room: all, or those active at the time in the query parameter `active_at`. */
export async function readSubscriptions(
  db: Db,
  partner: CachedPartner,
  area: string,
  parseQuery: ParseQuery<ActiveAt>,
): Promise<Representation> {
  const { facility } = await areaFor(db.cache, partner, needToReadServices, area)
  const at = parseActiveAt(parseQuery(), facility.timezone, partner.aheadMs)
  const found = (await db.read((tx) => findRoom(tx, area)))?.subscriptions ?? []
  const wanted = found.filter((one) => at === undefined || isActive(parseSubscription(one), at))
  return representJson(servicesJson(wanted))
}
