import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0001-estate'

export async function up(tx: MigrationTx): Promise<void> {
  for (const statement of statements(tx.dialect.text, tx.dialect.integer)) await sql.raw(statement).execute(tx.query)
}

function statements(text: string, integer: string): string[] {
  return [
    `create table facility (
      id ${integer} primary key, id_external ${text} not null unique, name ${text} not null, status ${text} not null,
      type ${text} not null, ssid_public ${text}, subscription_url ${text}, subscribed ${integer} not null,
      timezone ${text} not null, room_services ${integer} not null, address ${text}, devices ${text} not null,
      date_created ${text} not null, date_updated ${text} not null)`,
    `create index facility_by_status on facility (status, id)`,
    `create table area (
      id ${text} primary key, facility_id ${integer} not null references facility (id) on delete cascade,
      id_short ${text} not null, id_external ${text} not null unique, sort_key ${text} not null, name ${text} not null,
      data_general ${text} not null, opened_at ${text}, cycle ${text},
      date_created ${text} not null, date_updated ${text} not null)`,
    `create unique index area_in_order on area (facility_id, sort_key, id_short)`,
    `create table autocomplete_list (
      facility_id ${integer} primary key references facility (id) on delete cascade,
      entries ${text} not null, entries_count ${integer} not null)`,
    `create table subscription (
      id ${text} primary key, area_id ${text} not null references area (id) on delete cascade,
      position ${integer} not null, code ${text} not null, label ${text}, status ${text} not null,
      start_at ${text}, end_at ${text}, extra ${text} not null, unique (area_id, position))`,
    `create table partner (
      id ${text} primary key, name ${text} not null, contract ${text}, rate_limit ${text})`,
    `create table partner_grant (
      id ${text} primary key, partner_id ${text} not null references partner (id) on delete cascade,
      position ${integer} not null, every_facility ${integer} not null, read_fields ${text} not null,
      write_fields ${text} not null, room_operations ${text} not null, unique (partner_id, position))`,
    `create table partner_grant_facility (
      grant_id ${text} not null references partner_grant (id) on delete cascade, partner_id ${text} not null,
      facility_id ${integer} not null references facility (id) on delete cascade,
      primary key (partner_id, facility_id, grant_id))`,
    `create index partner_grant_facility_by_grant on partner_grant_facility (grant_id)`,
    `create index partner_grant_facility_by_facility on partner_grant_facility (facility_id)`,
    `create table token (
      id ${text} primary key, partner_id ${text} not null references partner (id) on delete cascade,
      name ${text} not null, hash ${text} not null, created_at ${text} not null, expires_at ${text},
      revoked_at ${text}, last_used_at ${text}, allowed_ranges ${text} not null)`,
    `create index token_by_partner on token (partner_id)`,
    `create table idempotency_key (
      partner_id ${text} not null references partner (id) on delete cascade, path ${text} not null, key ${text} not null,
      area_id ${text} not null references area (id) on delete cascade, body_hash ${text} not null,
      answer ${text} not null, etag ${text} not null, ended ${integer} not null, created_at ${text} not null,
      primary key (partner_id, path, key))`,
    `create index idempotency_key_by_area on idempotency_key (area_id)`,
    `create index idempotency_key_by_age on idempotency_key (created_at)`,
    `create table counter (name ${text} primary key, value ${integer} not null)`,
  ]
}
