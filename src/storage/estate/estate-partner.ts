import type { Grant } from '../../domain/access/grant.ts'
import type { Partner, PartnerWithGrants } from '../../domain/access/partner.ts'
import type { NamingGrant } from '../../domain/audit/estate-audit.ts'
import { newId } from '../../domain/identifier.ts'
import { foldedWords } from '../../domain/text.ts'
import { findPartner, grantsOfPartner } from '../access/partner.ts'
import { toRights } from '../access/rights.ts'
import type { Tx } from '../engine.ts'
import { whereOutsideSandbox } from '../sandbox-filter.ts'
import { insertInRuns } from './bulk.ts'

export async function findPartnerWithGrants(tx: Tx, id: string): Promise<PartnerWithGrants | undefined> {
  const partner = await findPartner(tx, id)
  return partner && { ...partner, grants: await grantsOfPartner(tx, id) }
}

export async function partnerIdsAfter(tx: Tx, id: string, limit: number): Promise<string[]> {
  const rows = await tx.query
    .selectFrom('partner')
    .select('id')
    .where('id', '>', id)
    .where(whereOutsideSandbox('id'))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

export async function insertPartner(tx: Tx, { id, name, contract, rateLimit, webhooks }: Partner): Promise<void> {
  await tx.query
    .insertInto('partner')
    .values({ id, name, name_words: foldedWords(name), contract, rate_limit: rateLimit, webhooks: Number(webhooks) })
    .execute()
}

export async function updatePartner(tx: Tx, id: string, fields: Partial<Partner>): Promise<void> {
  const { name, contract, rateLimit, webhooks } = fields
  const name_words = name === undefined ? undefined : foldedWords(name)
  await tx.query
    .updateTable('partner')
    .set({
      name,
      name_words,
      contract,
      rate_limit: rateLimit,
      webhooks: webhooks === undefined ? undefined : Number(webhooks),
    })
    .where('id', '=', id)
    .execute()
}

export async function deletePartner(tx: Tx, id: string): Promise<void> {
  await tx.query.deleteFrom('partner').where('id', '=', id).execute()
}

export async function tokenCount(tx: Tx, partner: string): Promise<number> {
  const { count } = await tx.query
    .selectFrom('token')
    .where('partner_id', '=', partner)
    .where('revoked_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function replaceGrants(
  tx: Tx,
  partner: string,
  grants: Grant[],
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  await tx.query.deleteFrom('partner_grant').where('partner_id', '=', partner).execute()
  const identified = grants.map((grant, position) => ({ id: newId(), position, ...grant }))
  const rows = identified.map(({ id, position, facilities, read, write, rooms }) => ({
    id,
    partner_id: partner,
    position,
    every_facility: Number(facilities === '*'),
    read_fields: JSON.stringify(read),
    write_fields: JSON.stringify(write),
    room_operations: JSON.stringify(rooms),
  }))
  await insertInRuns(tx, rows, (run) => tx.query.insertInto('partner_grant').values(run))
  const covered = identified.flatMap(({ id, facilities }) => {
    const named = facilities === '*' ? [] : facilities
    return named.map((name) => ({ grant_id: id, partner_id: partner, facility_id: numbers.get(name) as number }))
  })
  await insertInRuns(tx, covered, (run) => tx.query.insertInto('partner_grant_facility').values(run))
}

/** Does not include grants that cover all facilities (`*`). */
export async function grantsNaming(tx: Tx, facilityId: number): Promise<NamingGrant[]> {
  const rows = await tx.query
    .selectFrom('partner_grant_facility as covered')
    .innerJoin('partner_grant as named', 'named.id', 'covered.grant_id')
    .selectAll('named')
    .where('covered.facility_id', '=', facilityId)
    .orderBy('named.partner_id')
    .orderBy('named.position')
    .execute()
  return rows.map((row) => ({ partner: row.partner_id, place: row.position, ...toRights(row) }))
}
