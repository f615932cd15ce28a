import type { Grant } from '../../domain/access/grant.ts'
import type { PartnerWithGrants } from '../../domain/access/partner.ts'
import type { Token } from '../../domain/access/token.ts'
import type { VisibleSandbox } from '../../domain/sandbox.ts'
import type { PartnerSummary } from '../installation.ts'

// The JSON objects of the CMS API, and their conversion to the objects that commands print.

export interface TokenView {
  id: string
  partner: string
  name: string
  date_created: string
  expires_at: string | null
  revoked_at: string | null
  last_used: string | null
  allowed_ranges: string[]
  successor: string | null
  rotate_by: string | null
}

export function tokenFrom(view: TokenView): Token {
  const { id, partner, name, successor } = view
  return {
    id,
    partner,
    name,
    createdAt: view.date_created,
    expiresAt: view.expires_at,
    revokedAt: view.revoked_at,
    lastUsedAt: view.last_used,
    allowedRanges: view.allowed_ranges,
    successor,
    rotateBy: view.rotate_by,
  }
}

export interface PartnerView {
  id: string
  name: string
  rate_limit: string | null
  webhooks: boolean
  contract: object | boolean | null
  grants: Grant[]
}

export function partnerFrom({ id, name, rate_limit, webhooks, contract, grants }: PartnerView): PartnerWithGrants {
  return {
    id,
    name,
    rateLimit: rate_limit,
    webhooks,
    contract: contract === null ? null : JSON.stringify(contract),
    grants,
  }
}

export interface PartnerRowView {
  id: string
  name: string
  grants_count: number
  tokens_count: number
}

export function summaryFrom({ id, name, grants_count, tokens_count }: PartnerRowView): PartnerSummary {
  return { id, name, grants: grants_count, tokens: tokens_count }
}

export interface SandboxView {
  id: string
  partner: string
  facilities: { id_external: string; copy_of: string; name: string }[]
  clock: { ahead_seconds: number }
  date_created: string
  last_reset: string | null
}

export function sandboxFrom(view: SandboxView): VisibleSandbox {
  return {
    id: view.id,
    owner: view.partner,
    aheadMs: view.clock.ahead_seconds * 1000,
    dateCreated: view.date_created,
    lastReset: view.last_reset,
    facilities: view.facilities.map(({ id_external, copy_of, name }) => ({
      idExternal: id_external,
      copyOf: copy_of,
      name,
    })),
  }
}
