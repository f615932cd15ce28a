import type { Grant } from '../../api/types.ts'

export interface PartnerDraft {
  name: string
  rate_limit: string | null
  webhooks: boolean
  /** Text as typed, which may not be valid JSON yet. */
  contract: string
  grants: Grant[]
}
