import type { Fingerprint } from '../../domain/fingerprint.ts'
import { type Access, addUp } from '../../domain/grant.ts'
import type { Partner } from '../../domain/partner.ts'
import { type Bucket, parseRateLimit, type RateLimit } from '../../domain/rate-limit.ts'
import type { Engine } from '../engine.ts'
import { type RightsRow, toRights } from '../rights.ts'
import { statement } from '../statement.ts'
import type { Shelf } from './answers.ts'
import type { Weighed } from './bounded.ts'
import { andThen, type Maybe } from './maybe.ts'
import { Remembered } from './remembered.ts'

/** A partner with its grants added up. Once it was forgotten, `isGone`, and its tokens with it. */
export interface KnownPartner extends Partner, Weighed, Shelf {
  readonly version: number
  /** Its own limit, `undefined` for the service's. */
  readonly ownLimit: RateLimit | null | undefined
  /** What it may do on facilities that no grant names; nothing when no grant covers every facility. */
  readonly everywhere: Access | undefined
  /** The facilities that grants name, in order, and what it may do on each: a fraction of a map's size. */
  readonly facilities: readonly string[]
  readonly accesses: readonly Access[]
  isGone: boolean
  /** When its list of facilities was last known to be true. */
  listTick: number
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
  /** Of the secret, once one was found to have this hash. */
  fingerprint: Fingerprint | undefined
  /** What is left of its rate limit. */
  bucket: Bucket | undefined
  /** The minute in which its use was last noted. */
  notedMinute: number
}

/** What this partner may do there, whether or not there is such a facility; nothing when it may not even see it. */
export function accessTo({ facilities, accesses, everywhere }: KnownPartner, facility: string): Access | undefined {
  let low = 0
  let high = facilities.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const name = facilities[middle] as string
    if (name === facility) return accesses[middle]
    if (name < facility) low = middle + 1
    else high = middle - 1
  }
  return everywhere
}

interface PartnerRow {
  name: string
  contract: string | null
  rate_limit: string | null
  webhooks: number
  version: number
}

const findPartner = statement<PartnerRow>(
  'select name, contract, rate_limit, webhooks, version from partner where id = $1',
)

interface GrantRow extends RightsRow {
  every_facility: number
  facility: string | null
}

const findGrants = statement<GrantRow>(`
  select g.every_facility, g.read_fields, g.write_fields, g.room_operations, f.id_external as facility
  from partner_grant g
  left join partner_grant_facility c on c.partner_id = g.partner_id and c.grant_id = g.id
  left join facility f on f.id = c.facility_id
  where g.partner_id = $1`)

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
      const ownLimit = rateLimit === null ? undefined : parseRateLimit(rateLimit)
      return andThen(ask(findGrants, id), (grants): KnownPartner => {
        const compiled = compile(grants)
        const bytes = 500 + compiled.facilities.length * 56 + (contract?.length ?? 0)
        const state = { answers: [], isGone: false, listTick: 0, used: false, bytes }
        return { id, name, contract, rateLimit, webhooks: row.webhooks === 1, version, ownLimit, ...compiled, ...state }
      })
    })
  const gone = (partner: KnownPartner) => {
    partner.isGone = true
    forgotten(partner)
  }
  return new Remembered(limitBytes, { load, gone })
}

function compile(rows: GrantRow[]): Pick<KnownPartner, 'everywhere' | 'facilities' | 'accesses'> {
  const everywhere = rows.filter((row) => row.every_facility === 1)
  const named = new Map<string, GrantRow[]>()
  for (const row of rows) {
    if (row.facility === null) continue
    const known = named.get(row.facility)
    if (known === undefined) named.set(row.facility, [...everywhere, row])
    else known.push(row)
  }
  const facilities = [...named.keys()].sort((a, b) => (a < b ? -1 : 1))
  return {
    everywhere: everywhere.length > 0 ? accessOf(everywhere) : undefined,
    facilities,
    accesses: facilities.map((name) => accessOf(named.get(name) as GrantRow[])),
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
        return load(id)
      })
    })
  return new Remembered(limitBytes, { load, isStale: ({ partner }) => partner.isGone })
}

function toToken(id: string, row: TokenRow, partner: KnownPartner): KnownToken {
  const { name, hash, expires_at: expiresAt, revoked_at: revokedAt, allowed_ranges } = row
  const expiresAtMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
  const allowedRanges = JSON.parse(allowed_ranges)
  return {
    id,
    hash,
    name,
    expiresAt,
    expiresAtMs,
    revokedAt,
    allowedRanges,
    partner,
    fingerprint: undefined,
    bucket: undefined,
    notedMinute: 0,
    used: false,
    bytes: 600 + allowed_ranges.length,
  }
}
