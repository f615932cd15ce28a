import { Refusal } from '../refusal.ts'
import type { Contract } from '../room/contract.ts'
import type { Grant } from './grant.ts'

export interface Partner {
  id: string
  name: string
  contract: Contract | null
  /** Its own limit as written ("50/s burst 500", "off"), or null for the service's. */
  rateLimit: string | null
  /** Whether it may keep its own webhooks. */
  webhooks: boolean
}

export interface PartnerWithGrants extends Partner {
  grants: Grant[]
}

/** What a partner as a whole may be allowed, whatever the facility. */
export type PartnerRight = 'webhooks'

export function requirePartnerRight(partner: Pick<Partner, PartnerRight>, right: PartnerRight): void {
  if (partner[right]) return
  throw new Refusal('not_granted', `This needs the right "${right}", which an operator can give to this partner.`, {
    required: { right },
  })
}
