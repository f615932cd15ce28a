import { type Access, addUp } from '../../domain/grant.ts'
import { isSandboxId } from '../../domain/identifier.ts'
import type { Partner } from '../../domain/partner.ts'
import { type Bucket, parseRateLimit, type RateLimit } from '../../domain/rate-limit.ts'
import type { Engine } from '../engine.ts'
import { type RightsRow, toRights } from '../rights.ts'
import { statement } from '../statement.ts'
import type { Weighed } from './bounded.ts'
import { andThen, type Maybe } from './maybe.ts'
import { inOneText, isAmong, namesIn } from './names.ts'
import type { Shelf } from './ready-answer.ts'
import { Remembered } from './remembered.ts'

/** A partner with its grants added up. Once it was forgotten, `isGone`, and its tokens with it. */
export interface KnownPartner extends Partner, Weighed, Shelf {
  readonly id: string
  readonly version: number
  /** Its own limit, `undefined` for the service's. */
  readonly ownLimit: RateLimit | null | undefined
  /** What it may do on facilities that no grant names; nothing when no grant covers every facility. */
  readonly everywhere: Access | undefined
  /** The facilities that grants name, by what it may do on them. */
  readonly named: readonly NamedFacilities[]
  /** The partner whose sandbox it is; of every other nothing. */
  readonly sandboxOf: string | undefined
  /** How far the clock of the sandbox is ahead. */
  readonly aheadMs: number
  isGone: boolean
  /** When its list of facilities was last known to be true. */
  listTick: number
}

interface NamedFacilities {
  readonly access: Access
  /** In one text. */
  readonly names: string
}

export interface KnownToken extends Weighed {
  readonly id: string
  readonly hash: string
  readonly name: string
  readonly expiresAt: string | null
  readonly expiresAtMs: number
  readonly revokedAt: string | null
  readonly allowedRanges: readonly string[]
  readonly partner: KnownPartner
  /** What is left of its rate limit. */
  bucket: Bucket | undefined
  /** The minute in which its use was last noted. */
  notedMinute: number
}

/** All that its grants name. */
export function facilitiesNamed({ named }: Pick<KnownPartner, 'named'>): string[] {
  return named.flatMap(({ names }) => namesIn(names))
}

/**
 * What this partner may do there, whether or not there is such a facility; nothing when it may not even see it. What is
 * in a sandbox is seen by who is named: every facility means every real one.
 */
export function accessTo({ named, everywhere }: KnownPartner, facility: string): Access | undefined {
  for (const { names, access } of named) if (isAmong(names, facility)) return access
  return isSandboxId(facility) ? undefined : everywhere
}

interface PartnerRow {
  name: string
  contract: string | null
  rate_limit: string | null
  webhooks: number
  version: number
  sandbox_of: string | null
  ahead_ms: number | null
}

const findPartner = statement<PartnerRow>(`
  select p.name, p.contract, p.rate_limit, p.webhooks, p.version, s.owner_id as sandbox_of, s.ahead_ms
  from partner p left join sandbox s on s.id = p.id where p.id = $1`)

interface GrantRow extends RightsRow {
  every_facility: number
  /** With a space between them. */
  facilities: string | null
}

const findGrants = statement<GrantRow>(`
  select g.every_facility, g.read_fields, g.write_fields, g.room_operations, (
    select string_agg(f.id_external, ' ') from partner_grant_facility c join facility f on f.id = c.facility_id
    where c.partner_id = g.partner_id and c.grant_id = g.id) as facilities
  from partner_grant g where g.partner_id = $1`)

export function rememberedPartners(
  ask: Engine['ask'],
  limitBytes: number,
  forgotten: (partner: KnownPartner) => void,
): Remembered<KnownPartner> {
  // The version is read before the grants: if they change in between, it is the version that is found to be old.
  const load = (id: string): Maybe<KnownPartner | undefined> =>
    andThen(ask(findPartner, id), ([row]) => {
      if (row === undefined) return undefined
      const { name, contract, rate_limit: rateLimit, version } = row
      const sandbox = { sandboxOf: row.sandbox_of ?? undefined, aheadMs: row.ahead_ms ?? 0 }
      const ownLimit = rateLimit === null ? undefined : parseRateLimit(rateLimit)
      return andThen(ask(findGrants, id), (grants): KnownPartner => {
        const compiled = compile(grants)
        const bytes = compiled.named.reduce((sum, { names }) => sum + 80 + names.length, 350 + (contract?.length ?? 0))
        const state = { answers: 0, isGone: false, listTick: 0, used: false, bytes }
        const own = { id, name, contract, rateLimit, webhooks: row.webhooks === 1, version, ownLimit }
        return { ...own, ...sandbox, ...compiled, ...state }
      })
    })
  const gone = (partner: KnownPartner) => {
    partner.isGone = true
    forgotten(partner)
  }
  return new Remembered(limitBytes, { load, gone })
}

function compile(rows: GrantRow[]): Pick<KnownPartner, 'everywhere' | 'named'> {
  const everywhere = rows.filter((row) => row.every_facility === 1)
  const covering = new Map<string, GrantRow[]>()
  for (const row of rows) {
    for (const facility of row.facilities?.split(' ') ?? []) {
      const known = covering.get(facility)
      if (known === undefined) covering.set(facility, [...everywhere, row])
      else known.push(row)
    }
  }
  const byAccess = Map.groupBy(covering.keys(), (facility) => accessOf(covering.get(facility) as GrantRow[]))
  return {
    everywhere: everywhere.length > 0 ? accessOf(everywhere) : undefined,
    named: [...byAccess].map(([access, facilities]) => ({ access, names: inOneText(facilities) })),
  }
}

const accesses = new Map<string, Access>()
const accessesAtMost = 1000

/** Partners have many facilities and few different grants: what was added up once is shared. */
function accessOf(rows: GrantRow[]): Access {
  const key = rows.map((row) => row.read_fields + row.write_fields + row.room_operations).join()
  const known = accesses.get(key)
  if (known !== undefined) return known
  const access = addUp(rows.map(toRights))
  if (accesses.size >= accessesAtMost) accesses.clear()
  accesses.set(key, access)
  return access
}

interface TokenRow {
  partner_id: string
  version: number
  name: string
  hash: string
  expires_at: string | null
  revoked_at: string | null
  allowed_ranges: string
}

const findToken = statement<TokenRow>(`
  select t.partner_id, p.version, t.name, t.hash, t.expires_at, t.revoked_at, t.allowed_ranges
  from token t join partner p on p.id = t.partner_id where t.id = $1`)

export function rememberedTokens(
  ask: Engine['ask'],
  partners: Remembered<KnownPartner>,
  limitBytes: number,
): Remembered<KnownToken> {
  const load = (id: string): Maybe<KnownToken | undefined> =>
    andThen(ask(findToken, id), ([row]) => {
      if (row === undefined) return undefined
      return andThen(partners.find(row.partner_id), (partner) => {
        if (partner === undefined) return undefined
        if (partner.version === row.version) return toToken(id, row, partner)
        // Something happened to the partner between the two: it may have happened to this token.
        partners.forget(partner.id)
        tokens.forgetLoads()
        return load(id)
      })
    })
  const tokens = new Remembered<KnownToken>(limitBytes, { load, isStale: ({ partner }) => partner.isGone })
  return tokens
}

const fromEverywhere: readonly string[] = []

function toToken(id: string, row: TokenRow, partner: KnownPartner): KnownToken {
  const { name, hash, expires_at: expiresAt, revoked_at: revokedAt, allowed_ranges } = row
  const expiresAtMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
  const allowedRanges = allowed_ranges === '[]' ? fromEverywhere : JSON.parse(allowed_ranges)
  return {
    id,
    hash,
    name,
    expiresAt,
    expiresAtMs,
    revokedAt,
    allowedRanges,
    partner,
    bucket: undefined,
    notedMinute: 0,
    used: false,
    bytes: 480 + allowed_ranges.length,
  }
}
