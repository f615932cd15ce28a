import type { Grant } from '../../api/types.ts'

export interface PartnerDraft {
  name: string
  rate_limit: string | null
  webhooks: boolean
  /** As it is typed; it may not be JSON yet. */
  contract: string
  grants: Grant[]
}
