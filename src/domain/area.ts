export interface Area {
  id: string
  facilityId: number
  /** The facility's external id. */
  facility: string
  short: string
  name: string
  /** The start of the current occupation cycle and its id; both null while the room is closed. */
  openedAt: string | null
  cycle: string | null
  dateCreated: string
  dateUpdated: string
  dataGeneral: object[]
}

/** An area with what its guest has, as it is kept: what is passed through is never taken apart. */
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

const opening = ',"data_services":['

/** The area as it is kept and answered, with the JSON of its subscriptions. */
export function roomJson(room: Omit<Room, 'nextDueAt'>, subscriptions: string[]): string {
  const { idExternal, name, openedAt, cycle, dateCreated, dateUpdated, dataGeneral } = room
  const quoted = (text: string | null) => (text === null ? 'null' : `"${text}"`)
  return `{"id_external":${JSON.stringify(idExternal)},"name":${JSON.stringify(name)},"opened_at":${quoted(openedAt)},"cycle":${quoted(cycle)},"date_created":"${dateCreated}","date_updated":"${dateUpdated}"${opening}${subscriptions.join()}],"data_general":${dataGeneral}}`
}

/** How long each subscription in a room's JSON is: what is kept beside it, to find them again. */
export function lengthsOf(subscriptions: string[]): string {
  return subscriptions.map(({ length }) => length).join()
}

export function countOf(lengths: string): number {
  return lengths === '' ? 0 : lengths.split(',').length
}

/** The same room with those of its subscriptions alone that are kept. */
export function withServices(json: string, lengths: string, isKept: (subscription: string) => boolean): string {
  const all = subscriptionsIn(json, lengths)
  const start = json.indexOf(opening) + opening.length
  return json.slice(0, start) + all.filter(isKept).join() + json.slice(start + all.join().length)
}

/** The subscriptions in what `roomJson` has made, each as its JSON: they are never taken apart. */
export function subscriptionsIn(json: string, lengths: string): string[] {
  if (lengths === '') return []
  // No text before it can hold these quotes: there they would be escaped.
  let start = json.indexOf(opening) + opening.length
  return lengths.split(',').map((length) => {
    const end = start + Number(length)
    const subscription = json.slice(start, end)
    start = end + 1
    return subscription
  })
}
