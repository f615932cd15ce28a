export interface Room {
  id_external: string
  name: string
  opened_at: string | null
  cycle: string | null
  date_created: string
  date_updated: string
  /** A JSON array, as text. */
  data_general: string
}

/** Returns the JSON of an area with its subscriptions, each of which is already JSON. */
export function roomJson(room: Room, subscriptions: string[]): string {
  const { id_external, name, opened_at, cycle, date_created, date_updated, data_general } = room
  const quoted = (text: string | null) => (text === null ? 'null' : `"${text}"`)
  return `{"id_external":${JSON.stringify(id_external)},"name":${JSON.stringify(name)},"opened_at":${quoted(opened_at)},"cycle":${quoted(cycle)},"date_created":"${date_created}","date_updated":"${date_updated}","data_services":[${subscriptions.join()}],"data_general":${data_general}}`
}
