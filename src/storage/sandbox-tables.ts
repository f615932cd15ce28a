/** A sandbox: `id` is also the id of a partner, whose grants cover the copied facilities. */
export interface SandboxTable {
  id: string
  owner_id: string
  /** How many milliseconds the sandbox's clock is ahead of real time. */
  ahead_ms: number
  /** The time to which a request last set the sandbox's clock. Repeating that request changes nothing. */
  set_to: string | null
  date_created: string
  last_reset: string | null
}

export interface SandboxFacilityTable {
  facility_id: number
  sandbox_id: string
  /** The external id of the facility that this one was copied from. That facility may no longer exist. */
  copy_of: string
  /** The initial values of the facility's changeable properties, as JSON. Resetting the sandbox restores them. */
  start: string
}
