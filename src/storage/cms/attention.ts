import type { DisabledReason } from '../../domain/webhook/webhook.ts'
import type { Tx } from '../engine.ts'
import { isOutsideSandbox } from '../sandbox-filter.ts'
import { statement } from '../statement.ts'

/** The most notices listed of each kind, such as unused tokens. The `total` beside the list counts all of them. */
const maxListed = 100
const facilitiesPerPage = 20

export interface Counted<T> {
  rows: T[]
  total: number
}

const total = 'count(*) over () as total'

function counted<T>(found: (T & { total: number })[]): Counted<T> {
  return { rows: found, total: found[0]?.total ?? 0 }
}

export interface TokenNotice {
  id: string
  partner: string
  name: string
  /** By kind of notice: when the token expires, was due for replacement, or was last used (if never, was created). */
  at: string
}

const expiring = statement<TokenNotice & { total: number }>(`
  select id, partner_id as partner, name, expires_at as at, ${total} from token
  where revoked_at is null and successor is null and expires_at >= $1 and expires_at < $2 and ${isOutsideSandbox('partner_id')}
  order by expires_at limit ${maxListed}`)

export async function tokensExpiring(tx: Tx, from: string, until: string): Promise<Counted<TokenNotice>> {
  return counted(await tx.rows(expiring, from, until))
}

const overdue = statement<TokenNotice & { total: number }>(`
  select id, partner_id as partner, name, rotate_by as at, ${total} from token
  where rotate_by < $1 and revoked_at is null and successor is null and (expires_at is null or expires_at >= $1)
    and ${isOutsideSandbox('partner_id')} order by rotate_by limit ${maxListed}`)

export async function tokensOverdue(tx: Tx, now: string): Promise<Counted<TokenNotice>> {
  return counted(await tx.rows(overdue, now))
}

const unused = statement<TokenNotice & { total: number }>(`
  select id, partner_id as partner, name, coalesce(last_used_at, created_at) as at, ${total} from token
  where revoked_at is null and (expires_at is null or expires_at >= $1)
    and coalesce(last_used_at, created_at) < $2 and ${isOutsideSandbox('partner_id')} order by 4 limit ${maxListed}`)

export async function tokensUnused(tx: Tx, now: string, since: string): Promise<Counted<TokenNotice>> {
  return counted(await tx.rows(unused, now, since))
}

const refused = statement<{ partner: string; count: number; total: number }>(`
  select partner, cast(sum(requests) as bigint) as count, ${total} from request_count where minute >= $1 and status = 403 and partner <> '' and ${isOutsideSandbox('partner')}
  group by partner having sum(requests) >= $2 order by sum(requests) desc limit ${maxListed}`)

export async function partnersRefused(tx: Tx, minute: string, least: number) {
  return counted(await tx.rows(refused, minute, least))
}

export interface ListedFacility {
  id: number
  idExternal: string
  entries: number
  areas: number
}

const listed = statement<ListedFacility>(`select f.id, f.id_external as "idExternal", l.entries_count as entries,
    (select count(*) from area where area.facility_id = f.id) as areas
  from (select facility_id, entries_count from autocomplete_list where facility_id > $1
    and facility_id not in (select facility_id from sandbox_facility)
    order by facility_id limit ${facilitiesPerPage}) l
  join facility f on f.id = l.facility_id order by f.id`)

export async function listedAfter(tx: Tx, id: number): Promise<ListedFacility[]> {
  return tx.rows(listed, id)
}

export interface WebhookNotice {
  partner: string
  url: string
  /** When the webhook began to fail, or when it was disabled. */
  since: string
  /** Why the webhook was disabled; null while it is failing but still enabled. */
  reason: DisabledReason | null
}

const webhooksWhere = (since: string, where: string) =>
  statement<WebhookNotice & { total: number }>(`
  select partner_id as partner, url, ${since} as since, disabled_reason as reason, ${total}
  from webhook where ${where} and ${isOutsideSandbox('partner_id')} order by ${since}, id limit ${maxListed}`)
const failing = webhooksWhere('failing_since', 'disabled_at is null and failing_since is not null')
const disabled = webhooksWhere('disabled_at', 'disabled_at is not null')

/** Finds enabled webhooks whose deliveries are failing. Lists those that have been failing longest first. */
export async function webhooksFailing(tx: Tx): Promise<Counted<WebhookNotice>> {
  return counted(await tx.rows(failing))
}

/** Finds disabled webhooks. Lists those that were disabled earliest first. */
export async function webhooksDisabled(tx: Tx): Promise<Counted<WebhookNotice>> {
  return counted(await tx.rows(disabled))
}

export async function partnerNames(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query.selectFrom('partner').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function facilityNames(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const found = tx.query.selectFrom('facility').select(['id_external as id', 'name']).where('id_external', 'in', ids)
  return new Map((await found.execute()).map(({ id, name }) => [id, name]))
}
