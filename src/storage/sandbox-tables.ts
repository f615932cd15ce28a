/** The partner with this id is the sandbox of another. */
export interface SandboxTable {
  id: string
  owner_id: string
  /** How far its clock is ahead. */
  ahead_ms: number
  /** What the clock was last set to, so that the same request twice moves it once. */
  set_to: string | null
  date_created: string
  last_reset: string | null
}

export interface SandboxFacilityTable {
  facility_id: number
  sandbox_id: string
  /** The external id of the facility it is a copy of, which may be gone. */
  copy_of: string
  /** What can be changed of it, as it was in the beginning. */
  start: string
}
