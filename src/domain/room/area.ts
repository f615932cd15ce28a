export interface Area {
  id: string
  facilityId: number
  /** The facility's external id. */
  facility: string
  short: string
  name: string
  /** The start of the current cycle and its id; both null while the room is closed. */
  openedAt: string | null
  cycle: string | null
  dateCreated: string
  dateUpdated: string
  dataGeneral: object[]
}
