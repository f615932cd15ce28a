import type { Rights } from '../access/grant.ts'
import type { PartnerWithGrants } from '../access/partner.ts'
import type { Token } from '../access/token.ts'
import { type Entry, entryView } from '../autocomplete-list.ts'
import { type FacilityKey, facilityKeys } from '../estate.ts'
import { contractValue } from '../estate-difference.ts'
import type { Facility } from '../facility.ts'
import type { Area } from '../room/stored-room.ts'
import type { Webhook } from '../webhook/webhook.ts'
import type { AreaChange, AreaFields, ValueChange } from './audit-detail.ts'

// Selects the values that the audit log records when facilities, areas, partners or tokens are created, changed or
// removed: enough to undo the change, except for secrets and for data of guests.

export function areaChange(current: Area, fields: Partial<Area>): AreaChange {
  const names = Object.keys(fields) as (keyof Area)[]
  const before = Object.fromEntries(names.map((name) => [name, current[name]]))
  return { id: current.short, before: areaFields(before), after: areaFields(fields) }
}

export function areaCreation(area: Area): AreaChange {
  return { id: area.short, before: null, after: wholeArea(area) }
}

export function areaRemoval(area: Area): AreaChange {
  return { id: area.short, before: wholeArea(area), after: null }
}

function wholeArea({ name, dataGeneral }: Area): AreaFields {
  return areaFields({ name, ...(dataGeneral.length > 0 && { dataGeneral }) })
}

function areaFields({ name, dataGeneral }: Partial<Area>): AreaFields {
  return { ...(name !== undefined && { name }), ...(dataGeneral !== undefined && { data_general: dataGeneral }) }
}

/** Returns all values of a new facility as changes from null. */
export function facilityCreation(facility: Facility, entries: Entry[]): ValueChange[] {
  return created(facilityValues(facility, entries))
}

/** Returns all values of a removed facility, and of the grants that named it, as changes to null. */
export function facilityRemoval(facility: Facility, entries: Entry[], grants: NamingGrant[]): ValueChange[] {
  return removed({ ...facilityValues(facility, entries), ...(grants.length > 0 && { grants }) })
}

/** A grant that names a facility. `place` is its index among the grants of its partner. */
export interface NamingGrant extends Rights {
  partner: string
  place: number
}

function facilityValues(facility: Facility, entries: Entry[]): Record<string, unknown> {
  const keys = Object.keys(facilityKeys) as FacilityKey[]
  const values = keys.map((key) => [facilityKeys[key], facility[key]] as const)
  const list = entries.map((entry) => entryView(facility.idExternal, entry))
  const all = [['id', facility.id], ...values, ['areas_autocomplete_list', list]] as const
  return withoutEmpty(Object.fromEntries(all))
}

function withoutEmpty(values: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)))
}

/** Returns all values of a new partner as changes from null. */
export function partnerCreation(partner: PartnerWithGrants): ValueChange[] {
  return created(partnerValues(partner))
}

/** Returns all values of a removed partner as changes to null, even of tokens and webhooks, but no secrets. */
export function partnerRemoval(partner: PartnerWithGrants, tokens: Token[], webhooks: Webhook[]): ValueChange[] {
  const lost = {
    tokens: tokens.map(({ id, ...token }) => ({ id, ...tokenValues(token) })),
    webhook_endpoints: webhooks.map(({ id, ...webhook }) => ({ id, ...webhookValues(webhook) })),
  }
  return removed({ ...partnerValues(partner), ...withoutEmpty(lost) })
}

function partnerValues({ name, contract, rateLimit, webhooks, grants }: PartnerWithGrants): Record<string, unknown> {
  const values = { name, rate_limit: rateLimit, webhooks, grants, contract: contractValue(contract) }
  return withoutEmpty(values)
}

/** Returns the values of a token that the audit log records; none of them is secret. */
export function tokenValues({ name, expiresAt, allowedRanges }: Pick<Token, 'name' | 'expiresAt' | 'allowedRanges'>) {
  return { name, expires_at: expiresAt, allowed_ranges: allowedRanges }
}

export function tokenLifetime({
  expiresAt,
  revokedAt,
  successor,
}: Pick<Token, 'expiresAt' | 'revokedAt' | 'successor'>) {
  return { expires_at: expiresAt, revoked_at: revokedAt, successor }
}

export function webhookValues({ url, types, own, disabledAt }: Pick<Webhook, 'url' | 'types' | 'own' | 'disabledAt'>) {
  return { url, types, own, active: disabledAt === null }
}

export function created(values: object): ValueChange[] {
  return Object.entries(values).map(([key, after]) => ({ key, before: null, after }))
}

export function removed(values: object): ValueChange[] {
  return Object.entries(values).map(([key, before]) => ({ key, before, after: null }))
}
