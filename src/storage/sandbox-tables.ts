/** A sandbox. `id` is also the id of a partner, whose grants name the copies. */
export interface SandboxTable {
  id: string
  owner_id: string
  /** How many milliseconds the sandbox's clock is ahead of real time. */
  ahead_ms: number
  /** The time to which the clock was last set, which makes setting it idempotent. */
  set_to: string | null
  date_created: string
  last_reset: string | null
}

export interface SandboxFacilityTable {
  facility_id: number
  sandbox_id: string
  /** The external id of the original facility, which may have been deleted. */
  copy_of: string
  /** JSON: the initial values of the changeable properties, for a reset. */
  start: string
}
