// The format in which a room is stored (docs/stored-room.md): one row of the table `area` with the room as it is answered
// in `json`, the lengths of its subscriptions in `services_lengths`, in UTF-16 units, and `next_due_at`.
//
// A subscription is a JSON object in which the six common fields stand beside the partner's own. An own field can have
// any name but a common one, so parsing the object tells them apart, in whatever order they are: JSON.stringify writes
// fields that are named by a whole number first. The text of a subscription is passed on or parsed, never searched.
import { parseExactly } from '../exact-json.ts'

/** The row of an area, its subscriptions aside. */
export interface Room {
  id: string
  facilityId: number
  /** The full id. */
  idExternal: string
  short: string
  name: string
  openedAt: string | null
  cycle: string | null
  dateCreated: string
  dateUpdated: string
  /** JSON. */
  dataGeneral: string
  /** When something of its services is due to be told, at the latest: there may be nothing by then. */
  nextDueAt: string | null
}

export interface Subscription {
  id: string
  code: string
  label: string | null
  status: string
  start: string | null
  end: string | null
  /** The partner's own fields, as they were sent. */
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

/** Serializes the area with the JSON of its subscriptions. */
export function roomJson(room: Omit<Room, 'nextDueAt'>, subscriptions: string[]): string {
  const { idExternal, name, openedAt, cycle, dateCreated, dateUpdated, dataGeneral } = room
  const quoted = (text: string | null) => (text === null ? 'null' : `"${text}"`)
  return `{"id_external":${JSON.stringify(idExternal)},"name":${JSON.stringify(name)},"opened_at":${quoted(openedAt)},"cycle":${quoted(cycle)},"date_created":"${dateCreated}","date_updated":"${dateUpdated}"${opening}${subscriptions.join()}],"data_general":${dataGeneral}}`
}

/** The same for callers that may not read areas: what the operator writes about a room is not for them. */
export function withoutGeneral(json: string, { dataGeneral }: Room): string {
  return `${json.slice(0, -`,"data_general":${dataGeneral}}`.length)}}`
}

/** Serializes the subscriptions of a room as they are answered alone. */
export function servicesJson(subscriptions: string[]): string {
  return `{"data_services":[${subscriptions.join()}]}`
}

export function lengthsOf(subscriptions: string[]): string {
  return subscriptions.map(({ length }) => length).join()
}

export function countOf(lengths: string): number {
  return lengths === '' ? 0 : lengths.split(',').length
}

/** Returns the JSON of each subscription in what `roomJson` made. */
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

/** Returns the same room with only those of its subscriptions that `isKept` wants. */
export function withServices(json: string, lengths: string, isKept: (subscription: string) => boolean): string {
  const all = subscriptionsIn(json, lengths)
  const start = startIn(json)
  return json.slice(0, start) + all.filter(isKept).join() + json.slice(start + all.join().length)
}

/** What stands before is the id, the name and times: in none of them can a quote be without a backslash. */
function startIn(json: string): number {
  return json.indexOf(opening) + opening.length
}
