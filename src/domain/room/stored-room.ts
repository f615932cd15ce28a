// Defines the storage format of a room (docs/stored-room.md): one row of the table `area` with the response body in
// `json`, the length of each subscription in UTF-16 code units in `services_lengths`, and `next_due_at`. A read copies
// `json`; adding or deleting subscriptions cuts it at these lengths and parses nothing else.
//
// A subscription is a JSON object with six common fields and fields of the partner's own, which can have any other
// name. Code distinguishes the two by name, never by position: JSON.stringify writes keys that are whole numbers first.
import { parseExactly } from '../exact-json.ts'

/** A room as its row in the database holds it, but without its subscriptions. */
export interface Room {
  id: string
  facilityId: number
  idExternal: string
  short: string
  name: string
  /** When the current cycle (the stay of a guest) began, and its id; both null while the room is closed. */
  openedAt: string | null
  cycle: string | null
  dateCreated: string
  dateUpdated: string
  /** The value of `data_general` as JSON text. */
  dataGeneral: string
  /** No event of the room's subscriptions is due before this time; null if no event is expected. */
  nextDueAt: string | null
}

/** A room as operators configure it: without its subscriptions, and with the id of its facility. */
export type Area = Omit<Room, 'idExternal' | 'dataGeneral' | 'nextDueAt'> & {
  facility: string
  dataGeneral: object[]
}

export interface Subscription {
  id: string
  code: string
  label: string | null
  status: string
  start: string | null
  end: string | null
  /** The fields that the partner added to the six common ones. */
  extra: Record<string, unknown>
}

export function subscriptionJson({ extra, ...common }: Subscription): string {
  const { id, code, label, status, start, end } = common
  return JSON.stringify({ id, code, label, status, start, end, ...extra })
}

export function parseSubscription(json: string): Subscription {
  const { id, code, label, status, start, end, ...extra } = parseExactly(json) as Omit<Subscription, 'extra'>
  return { id, code, label, status, start, end, extra }
}

const opening = ',"data_services":['

/** Serializes a room with its subscriptions, as responses show it. */
export function roomJson(room: Omit<Room, 'nextDueAt'>, subscriptions: string[]): string {
  const { idExternal, name, openedAt, cycle, dateCreated, dateUpdated, dataGeneral } = room
  const quoted = (text: string | null) => (text === null ? 'null' : `"${text}"`)
  return `{"id_external":${JSON.stringify(idExternal)},"name":${JSON.stringify(name)},"opened_at":${quoted(openedAt)},"cycle":${quoted(cycle)},"date_created":"${dateCreated}","date_updated":"${dateUpdated}"${opening}${subscriptions.join()}],"data_general":${dataGeneral}}`
}

/** Removes `data_general`, the operators' notes, from a stored room, for partners without the grant `read: areas`. */
export function withoutGeneral(json: string, { dataGeneral }: Room): string {
  return `${json.slice(0, -`,"data_general":${dataGeneral}}`.length)}}`
}

export function servicesJson(subscriptions: string[]): string {
  return `{"data_services":[${subscriptions.join()}]}`
}

export function lengthsOf(subscriptions: string[]): string {
  return subscriptions.map(({ length }) => length).join()
}

export function countOf(lengths: string): number {
  return lengths === '' ? 0 : lengths.split(',').length
}

/** Finds the JSON of each subscription by the lengths, without parsing. */
export function subscriptionsIn(json: string, lengths: string): string[] {
  if (lengths === '') return []
  let start = startIn(json)
  return lengths.split(',').map((length) => {
    const end = start + Number(length)
    const subscription = json.slice(start, end)
    start = end + 1
    return subscription
  })
}

export function withServices(json: string, lengths: string, isKept: (subscription: string) => boolean): string {
  const all = subscriptionsIn(json, lengths)
  const start = startIn(json)
  return json.slice(0, start) + all.filter(isKept).join() + json.slice(start + all.join().length)
}

/** Finds the end of the text `opening`, which cannot occur in the room's id or name: JSON escapes its quotes there. */
function startIn(json: string): number {
  return json.indexOf(opening) + opening.length
}
