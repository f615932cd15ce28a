import type { Contract } from './contract.ts'
import type { Grant } from './grant.ts'

export interface Partner {
  id: string
  name: string
  contract: Contract | null
  /** Its own limit as written ("50/s burst 500", "off"), or null for the service's. */
  rateLimit: string | null
}

export interface PartnerWithGrants extends Partner {
  grants: Grant[]
}
