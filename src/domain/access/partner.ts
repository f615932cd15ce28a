import { Refusal } from '../refusal.ts'
import type { Contract } from '../room/contract.ts'
import type { Grant } from './grant.ts'

export interface Partner {
  id: string
  name: string
  contract: Contract | null
  /** The partner's own limit in the form "50/s burst 500" or "off"; null if the limit of the installation applies. */
  rateLimit: string | null
  /** Whether the partner may manage its webhooks. */
  webhooks: boolean
}

export interface PartnerWithGrants extends Partner {
  grants: Grant[]
}

/** A right of a partner that does not depend on a facility. */
export type PartnerRight = 'webhooks'

export function requirePartnerRight(partner: Pick<Partner, PartnerRight>, right: PartnerRight): void {
  if (partner[right]) return
  throw new Refusal('not_granted', `This needs the right "${right}", which an operator can give to this partner.`, {
    required: { right },
  })
}
