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
}

/** The area as it is answered. `services` are the subscriptions' JSON, between commas. The list query writes the same. */
export function roomJson(room: Room, services: string): string {
  const { idExternal, name, openedAt, cycle, dateCreated, dateUpdated, dataGeneral } = room
  const quoted = (text: string | null) => (text === null ? 'null' : `"${text}"`)
  return `{"id_external":${JSON.stringify(idExternal)},"name":${JSON.stringify(name)},"opened_at":${quoted(openedAt)},"cycle":${quoted(cycle)},"date_created":"${dateCreated}","date_updated":"${dateUpdated}","data_services":[${services}],"data_general":${dataGeneral}}`
}
