export interface Area {
  id: string
  facilityId: number
  /** The external id of the area's facility. */
  facility: string
  short: string
  name: string
  /**
   * The time at which the current cycle (the stay of a guest) began, and its id; both null while the room is closed.
   */
  openedAt: string | null
  cycle: string | null
  dateCreated: string
  dateUpdated: string
  dataGeneral: object[]
}
