import { type ExpressionBuilder, sql } from 'kysely'
import { foldedWords } from '../../domain/text.ts'
import type { Tx } from '../engine.ts'
import { whereOutsideSandbox } from '../sandbox-filter.ts'
import type { Tables } from '../tables.ts'

export interface PartnerRow {
  id: string
  name: string
  rateLimit: string | null
  hasContract: boolean
  grants: number
  /** The number of valid tokens, which are neither revoked nor expired. */
  tokens: number
  /** The number of facilities that the partner's grants name; null when a grant covers all facilities. */
  facilities: number | null
  lastUsedAt: string | null
  webhooksFailing: number
  webhooksDisabled: number
}

type Where = ExpressionBuilder<Tables, 'partner'>

function matching(q: string | undefined) {
  return (where: Where) => {
    if (q === undefined) return where.and([])
    const literal = q
      .trim()
      .toLowerCase()
      .replace(/[\\%_]/g, '\\$&')
    const byId = sql<boolean>`lower(id) like ${`%${literal}%`} escape '\\'`
    const words = foldedWords(q)
    return words === ' ' ? byId : where.or([where('name_words', 'like', `%${words}%`), byId])
  }
}

const counts = (nowIso: string) =>
  [
    sql<number>`(select count(*) from partner_grant g where g.partner_id = partner.id)`.as('grants'),
    sql<number>`(select count(*) from partner_grant g where g.partner_id = partner.id and g.every_facility = 1)`.as(
      'every',
    ),
    sql<number>`(select count(distinct facility_id) from partner_grant_facility c where c.partner_id = partner.id)`.as(
      'facilities',
    ),
    sql<number>`(select count(*) from token t where t.partner_id = partner.id and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > ${nowIso}))`.as('tokens'),
    sql<number>`(select count(*) from webhook w where w.partner_id = partner.id and w.disabled_at is null
      and w.failing_since is not null)`.as('webhooks_failing'),
    sql<number>`(select count(*) from webhook w where w.partner_id = partner.id and w.disabled_at is not null)`.as(
      'webhooks_disabled',
    ),
    sql<string | null>`(select max(last_used_at) from token t where t.partner_id = partner.id)`.as('last_used_at'),
  ] as const

interface PartnerPage {
  q: string | undefined
  after: string | undefined
  limit: number
  nowIso: string
}

export async function pageOfPartners(tx: Tx, { q, after, limit, nowIso }: PartnerPage): Promise<PartnerRow[]> {
  const rows = await tx.query
    .selectFrom('partner')
    .select(['id', 'name', 'rate_limit', sql<number>`contract is not null`.as('has_contract')])
    .select(counts(nowIso))
    .where(matching(q))
    .where(whereOutsideSandbox('id'))
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    rateLimit: row.rate_limit,
    hasContract: Boolean(row.has_contract),
    grants: row.grants,
    tokens: row.tokens,
    facilities: row.every > 0 ? null : row.facilities,
    lastUsedAt: row.last_used_at,
    webhooksFailing: row.webhooks_failing,
    webhooksDisabled: row.webhooks_disabled,
  }))
}

export async function countPartners(tx: Tx, q: string | undefined): Promise<number> {
  const { count } = await tx.query
    .selectFrom('partner')
    .where(matching(q))
    .where(whereOutsideSandbox('id'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
