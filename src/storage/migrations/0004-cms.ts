import { sql } from 'kysely'
import { foldedWords } from './frozen/folded-words.ts'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0004-cms'

export async function up(tx: MigrationTx): Promise<void> {
  const { text, integer, serial } = tx.dialect
  for (const statement of statements(text, integer, serial)) await sql.raw(statement).execute(tx.query)
  await foldNames(tx)
}

const atOnce = 500

async function foldNames(tx: MigrationTx): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string }>`select id, name from facility
      where id > ${after} order by id limit ${atOnce}`.execute(tx.query)
    for (const { id, name } of rows) {
      await sql`update facility set name_words = ${foldedWords(name)} where id = ${id}`.execute(tx.query)
    }
    if (rows.length < atOnce) break
    after = rows.at(-1)?.id as number
  }
  const partners = await sql<{ id: string; name: string }>`select id, name from partner`.execute(tx.query)
  for (const { id, name } of partners.rows) {
    await sql`update partner set name_words = ${foldedWords(name)} where id = ${id}`.execute(tx.query)
  }
}

function statements(text: string, integer: string, serial: string): string[] {
  return [
    `create table operator (
      id ${text} primary key, email ${text} not null unique, name ${text} not null, role ${text} not null,
      password ${text}, created_at ${text} not null, disabled_at ${text})`,
    `create table operator_session (
      id ${text} primary key, operator_id ${text} not null references operator (id) on delete cascade,
      hash ${text} not null unique, created_at ${text} not null, last_used_at ${text} not null,
      expires_at ${text} not null, address ${text}, agent ${text})`,
    `create index operator_session_by_operator on operator_session (operator_id)`,
    `create index operator_session_by_end on operator_session (expires_at)`,
    `create table operator_key (
      id ${text} primary key, operator_id ${text} not null references operator (id) on delete cascade,
      name ${text} not null, hash ${text} not null, created_at ${text} not null, expires_at ${text},
      revoked_at ${text}, last_used_at ${text}, allowed_ranges ${text} not null)`,
    `create index operator_key_by_operator on operator_key (operator_id)`,
    `create table sign_in_link (
      hash ${text} primary key, operator_id ${text} not null references operator (id) on delete cascade,
      expires_at ${text} not null)`,
    `create table sign_in_state (hash ${text} primary key, expires_at ${text} not null)`,
    `create table sign_in_failure (
      subject ${text} primary key, count ${integer} not null, last_at ${text} not null)`,
    `alter table facility add column name_words ${text} not null default ''`,
    `alter table partner add column name_words ${text} not null default ''`,
    `alter table token add column successor ${text}`,
    `create table setting (name ${text} primary key, value ${text} not null)`,
    `create index facility_by_name on facility (name, id)`,
    `create index audit_entry_by_time on audit_entry (at, seq)`,
    `create index audit_entry_by_facility on audit_entry (facility, at, seq) where facility is not null`,
    `create index area_open on area (facility_id) where cycle is not null`,
    `create index subscription_by_end on subscription (end_at) where end_at is not null`,
    // A partial index, which takes little space, since only a small part of the entries have an operator as the actor.
    `create index audit_entry_by_operators on audit_entry (at, seq) where actor_kind = 'operator'`,
    `create table request_log (
      seq ${serial}, at ${text} not null, partner ${text}, token ${text}, method ${text} not null, route ${text},
      facility ${text}, area ${text}, status ${integer} not null, code ${text}, detail ${text},
      duration_us ${integer} not null, request_id ${text} not null, address ${text})`,
    `create index request_log_by_partner on request_log (partner, at, seq)`,
    `create index request_log_by_time on request_log (at, seq)`,
    `create index request_log_by_request on request_log (request_id)`,
    `create table request_count (
      minute ${text} not null, partner ${text} not null, status ${integer} not null, requests ${integer} not null,
      duration_us ${integer} not null, slowest_us ${integer} not null, primary key (minute, partner, status))`,
  ]
}
