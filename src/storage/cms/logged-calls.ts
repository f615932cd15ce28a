import { sql } from 'kysely'
import { codesOfUnknownFacility } from '../../domain/request.ts'
import type { Tx } from '../engine.ts'

/** Logged requests of one partner that agree in these fields, and so need the same permission. */
export interface LoggedCall {
  method: string
  route: string
  facility: string | null
  area: string | null
  /** The operations of a bulk request that needed a grant, separated by spaces. Null if unknown or no bulk request. */
  roomsNeeded: string | null
  count: number
  lastAt: string
}

/** Excludes requests for facilities that do not exist: no grant could make such a request succeed. */
const isDecidable = sql<boolean>`(coalesce(code, '') not in (${sql.join(codesOfUnknownFacility)})
  or exists (select 1 from facility where id_external = request_log.facility))`

/** Groups a partner's requests by the permission that they needed. The most frequent groups come first. */
export async function loggedCalls(tx: Tx, partner: string, since: string, limit: number): Promise<LoggedCall[]> {
  return tx.query
    .selectFrom('request_log')
    .select(['method', sql<string>`coalesce(route, '')`.as('route'), 'facility', 'area', 'rooms_needed as roomsNeeded'])
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('at').as('lastAt')])
    .where('partner', '=', partner)
    .where('at', '>=', since)
    .where(isDecidable)
    .groupBy(['method', 'route', 'facility', 'area', 'rooms_needed'])
    .orderBy('count', 'desc')
    .orderBy('lastAt', 'desc')
    .limit(limit)
    .execute()
}

export async function countLogged(tx: Tx, partner: string, since: string): Promise<number> {
  const { count } = await tx.query
    .selectFrom('request_log')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('partner', '=', partner)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow()
  return count
}
