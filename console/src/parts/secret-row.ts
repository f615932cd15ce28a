/** A token of a partner or a key of an operator, in a list. */
export interface SecretRow {
  id: string
  name: string
  date_created: string
  expires_at: string | null
  revoked_at: string | null
  last_used: string | null
  allowed_ranges: string[]
  state: 'active' | 'expiring' | 'expired' | 'revoked'
  safe_to_revoke?: boolean
  successor?: string | null
  /** By when an imported token should be rotated; null for one that Atrium issued. */
  rotate_by?: string | null
  /** Owner, in tables with several owners. */
  owner?: string
}

/** The pending action and its row. */
export type SecretStep = { step: 'create' | 'import' } | { step: 'edit' | 'rotate' | 'revoke'; row: SecretRow }
