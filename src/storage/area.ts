import type { Bytes } from '../domain/bytes.ts'
import { parseExactly } from '../domain/exact-json.ts'
import { andThen, type MaybePromise } from '../domain/maybe.ts'
import { type Area, lengthsOf, type Room, subscriptionsIn } from '../domain/room/stored-room.ts'
import type { BatchTx, Engine, Tx } from './engine.ts'
import { rendered, rendering, statement } from './statement.ts'
import type { AreaTable } from './table-rows.ts'

export type RoomRow = Omit<AreaTable, 'sort_key'>

export const roomColumns =
  'id, facility_id, id_external, id_short, name, opened_at, cycle, date_created, date_updated, data_general, json, services_lengths, next_due_at'

const allAreas = rendering(
  `'[' || coalesce(string_agg(json, ','), '') || ']'`,
  ' from (select json from area where facility_id = $1 order by sort_key, id_short) area',
)

export function areasBody(ask: Engine['ask'], facilityId: number): MaybePromise<Bytes> {
  return rendered(ask, allAreas, facilityId)
}

/** The JSON of an area, and the lengths of the subscriptions in it, by which `subscriptionsIn` finds them. */
export interface AreaText {
  json: string
  lengths: string
}

const oneArea = statement<AreaText>(
  'select json, services_lengths as lengths from area where id_external = $1 and facility_id = $2',
)

export function areaText(ask: Engine['ask'], fullId: string, facilityId: number): MaybePromise<AreaText | undefined> {
  return andThen(ask(oneArea, fullId, facilityId), ([row]) => row)
}

const oneRoom = statement<RoomRow>(`select ${roomColumns} from area where id_external = $1`)

export interface RoomWithSubscriptions {
  room: Room
  /** The JSON of each subscription, oldest first. Subscriptions are deleted when the room opens or closes. */
  subscriptions: string[]
}

export async function findRoom(
  tx: BatchTx,
  fullId: string,
  options: { lock?: boolean } = {},
): Promise<RoomWithSubscriptions | undefined> {
  return withSubscriptions(await (options.lock ? tx.lockedRows(oneRoom, fullId) : tx.rows(oneRoom, fullId)))
}

const roomBeside = statement<RoomRow>(`select ${roomColumns} from area
  where id_external = $1 and facility_id = (select facility_id from area where id_external = $2)`)

/** Locks two rooms in the order of their ids, against deadlocks. Skips the second if it is in another facility. */
export async function lockRooms(
  tx: Tx,
  first: string,
  second: string,
): Promise<[RoomWithSubscriptions | undefined, RoomWithSubscriptions | undefined]> {
  const inOrder = first <= second ? [first, second] : [second, first]
  const rows = await Promise.all(inOrder.map((fullId) => tx.lockedRows(roomBeside, fullId, first)))
  const found = new Map(inOrder.map((fullId, at) => [fullId, withSubscriptions(rows[at] as RoomRow[])]))
  return [found.get(first), found.get(second)]
}

function withSubscriptions([row]: RoomRow[]): RoomWithSubscriptions | undefined {
  return row && { room: toRoom(row), subscriptions: subscriptionsIn(row.json, row.services_lengths) }
}

const present = statement('select 1 as present from area where id_external = $1 and facility_id = $2')

export async function lockRoom(tx: Tx, facility: number, fullId: string): Promise<void> {
  await tx.lockedRows(present, fullId, facility)
}

const updating = (more: string) =>
  statement(`update area set date_updated = $1, services_lengths = $2, json = $3${more} where id_external = $4`)
// `next_due_at` and `cycle` are set only if they change: setting an indexed column costs a write to its index.
const updateServices = updating('')
const updateDue = updating(', next_due_at = $5')
const updateCycle = updating(', next_due_at = $5, cycle = $6, opened_at = $7')

/** `before` is the locked room before the change; `json` is that of the changed room with its subscriptions. */
export function updateRoom(
  tx: BatchTx,
  before: Room,
  { room, subscriptions }: RoomWithSubscriptions,
  json: string,
): void {
  const { cycle, openedAt, dateUpdated, idExternal, nextDueAt } = room
  const common = [dateUpdated, lengthsOf(subscriptions), json, idExternal]
  if (cycle !== before.cycle) tx.post(updateCycle, ...common, nextDueAt, cycle, openedAt)
  else if (nextDueAt !== before.nextDueAt) tx.post(updateDue, ...common, nextDueAt)
  else tx.post(updateServices, ...common)
}

export function toRoom(row: RoomRow): Room {
  return {
    id: row.id,
    facilityId: row.facility_id,
    idExternal: row.id_external,
    short: row.id_short,
    name: row.name,
    openedAt: row.opened_at,
    cycle: row.cycle,
    dateCreated: row.date_created,
    dateUpdated: row.date_updated,
    dataGeneral: row.data_general,
    nextDueAt: row.next_due_at,
  }
}

export function toArea(
  row: Omit<AreaTable, 'json' | 'sort_key' | 'services_lengths' | 'next_due_at'>,
  facility: string,
): Area {
  return {
    id: row.id,
    facilityId: row.facility_id,
    facility,
    short: row.id_short,
    name: row.name,
    openedAt: row.opened_at,
    cycle: row.cycle,
    dateCreated: row.date_created,
    dateUpdated: row.date_updated,
    dataGeneral: parseExactly(row.data_general) as object[],
  }
}
