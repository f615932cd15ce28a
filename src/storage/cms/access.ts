import { sql } from 'kysely'
import type { Rights } from '../../domain/access/grant.ts'
import { toRights } from '../access/rights.ts'
import type { Tx } from '../engine.ts'
import { whereOutsideSandbox } from '../sandbox-filter.ts'
import { matching } from './facility.ts'

/** `grants` lists the grants that cover the facility, by their indexes in the result of `rightsOfPartner`. */
export interface CoveredFacility {
  idExternal: string
  name: string
  grants: number[]
}

/** A grant without its list of facilities, which can be very long. */
interface GrantRights extends Rights {
  id: string
  coversAll: boolean
}

export async function rightsOfPartner(tx: Tx, partner: string): Promise<GrantRights[]> {
  const rows = await tx.query
    .selectFrom('partner_grant')
    .selectAll()
    .where('partner_id', '=', partner)
    .orderBy('position')
    .execute()
  return rows.map((row) => ({ id: row.id, coversAll: row.every_facility === 1, ...toRights(row) }))
}

interface CoverageSearch {
  partner: string
  grants: readonly GrantRights[]
  q: string | undefined
}

function covered(tx: Tx, { partner, grants, q }: CoverageSearch) {
  // The subquery makes the planner start from the few facilities that the grants name instead of scanning all.
  const isNamed = sql<boolean>`facility.id in (select c.facility_id from partner_grant_facility c
    where c.partner_id = ${partner})`
  return tx.query
    .selectFrom('facility')
    .where(matching({ q }))
    .where(grants.some(({ coversAll }) => coversAll) ? whereOutsideSandbox('facility.id_external') : isNamed)
}

export async function pageOfCovered(
  tx: Tx,
  search: CoverageSearch & { after: string | undefined; limit: number },
): Promise<CoveredFacility[]> {
  const { partner, grants, after, limit } = search
  const rows = await covered(tx, search)
    .select(['id', 'id_external', 'name'])
    .$if(after !== undefined, (query) => query.where('id_external', '>', after as string))
    .orderBy('id_external')
    .limit(limit)
    .execute()
  const named = await namedGrants(
    tx,
    partner,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, id_external: idExternal, name }) => ({
    idExternal,
    name,
    grants: grants.flatMap((grant, index) => (grant.coversAll || named.get(id)?.has(grant.id) ? [index] : [])),
  }))
}

async function namedGrants(tx: Tx, partner: string, facilities: number[]): Promise<Map<number, Set<string>>> {
  if (facilities.length === 0) return new Map()
  const rows = await tx.query
    .selectFrom('partner_grant_facility')
    .select(['facility_id', 'grant_id'])
    .where('partner_id', '=', partner)
    .where('facility_id', 'in', facilities)
    .execute()
  const byFacility = new Map(facilities.map((id) => [id, new Set<string>()]))
  for (const { facility_id, grant_id } of rows) byFacility.get(facility_id)?.add(grant_id)
  return byFacility
}

export async function countCovered(tx: Tx, search: CoverageSearch): Promise<number> {
  const { count } = await covered(tx, search)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
