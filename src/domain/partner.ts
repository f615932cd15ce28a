import type { Contract } from './contract.ts'
import type { Grant } from './grant.ts'
import type { RateLimit } from './rate-limit.ts'

export interface Partner {
  id: string
  name: string
  contract: Contract | null
  /** Its own limit as written ("50/s burst 500", "off"), or null for the service's. */
  rateLimit: string | null
}

/** The partner behind a request, with the token it came with. */
export interface Caller {
  partner: Partner
  token: { id: string; name: string; expiresAt: string | null }
  rateLimit: RateLimit | null
}

export interface PartnerWithGrants extends Partner {
  grants: Grant[]
}
