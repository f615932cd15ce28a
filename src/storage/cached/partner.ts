import { type Access, combineGrants } from '../../domain/access/grant.ts'
import type { Partner } from '../../domain/access/partner.ts'
import { parseRateLimit, type RateLimit } from '../../domain/access/rate-limit.ts'
import { andThen, type MaybePromise } from '../../domain/maybe.ts'
import { nameList, type Permissions } from '../../domain/permission.ts'
import { type RightsRow, toRights } from '../access/rights.ts'
import type { Engine } from '../engine.ts'
import { statement } from '../statement.ts'

/** A partner with its permissions: for each facility, the combined rights of all grants that cover it. */
export interface CachedPartner extends Partner, Permissions {
  readonly id: string
  readonly version: number
  /** The partner's own rate limit: null means unlimited, undefined means the default limit. */
  readonly ownLimit: RateLimit | null | undefined
  /** For a sandbox, the id of the partner that owns it; otherwise undefined. */
  readonly sandboxOf: string | undefined
  /** For a sandbox, how many milliseconds its clock is ahead of real time; otherwise 0. */
  readonly aheadMs: number
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
  /** The external ids of the facilities that the grant names, separated by spaces. */
  facilities: string | null
}

const findGrants = statement<GrantRow>(`
  select g.every_facility, g.read_fields, g.write_fields, g.room_operations, (
    select string_agg(f.id_external, ' ') from partner_grant_facility c join facility f on f.id = c.facility_id
    where c.partner_id = g.partner_id and c.grant_id = g.id) as facilities
  from partner_grant g where g.partner_id = $1`)

export function loadPartner(ask: Engine['ask'], id: string): MaybePromise<CachedPartner | undefined> {
  // Reads the version first: if the grants change between the queries, the old version shows that they are stale.
  return andThen(ask(findPartner, id), ([row]) => {
    if (row === undefined) return undefined
    const { name, contract, rate_limit: rateLimit, version } = row
    const sandbox = { sandboxOf: row.sandbox_of ?? undefined, aheadMs: row.ahead_ms ?? 0 }
    const ownLimit = rateLimit === null ? undefined : parseRateLimit(rateLimit)
    const own = { id, name, contract, rateLimit, webhooks: row.webhooks === 1, version, ownLimit, ...sandbox }
    return andThen(ask(findGrants, id), (grants): CachedPartner => ({ ...own, ...permissionsOf(grants) }))
  })
}

export function partnerBytes({ named, contract }: CachedPartner): number {
  return named.reduce((sum, { names }) => sum + 80 + names.length, 350 + (contract?.length ?? 0))
}

function permissionsOf(rows: GrantRow[]): Permissions {
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
    named: [...byAccess].map(([access, facilities]) => ({ access, names: nameList(facilities) })),
  }
}

const accesses = new Map<string, Access>()
const maxAccesses = 1000

/** Results are cached and shared, since many facilities have the same combination of grants. */
function accessOf(rows: GrantRow[]): Access {
  const key = rows.map((row) => row.read_fields + row.write_fields + row.room_operations).join()
  const known = accesses.get(key)
  if (known !== undefined) return known
  const access = combineGrants(rows.map(toRights))
  if (accesses.size >= maxAccesses) accesses.clear()
  accesses.set(key, access)
  return access
}
