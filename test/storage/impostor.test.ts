import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Client } from 'pg'
import { startService } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { command } from '../harness/command.ts'
import { type FreshDatabase, freshDatabase } from '../harness/databases.ts'

const notPostgres = /which is not PostgreSQL itself: Atrium needs PostgreSQL 15 or newer/
const cockroach = 'CockroachDB CCL v25.4.0 (x86_64-pc-linux-gnu)'
const yugabyte = 'PostgreSQL 15.2-YB-2025.2.0.0-b0 on x86_64-pc-linux-gnu'

/** Functions and views that make a server describe itself as another engine does. */
const impostors: { is: string; made: string; refusal: RegExp }[] = [
  { is: 'CockroachDB', made: says(cockroach), refusal: notPostgres },
  { is: 'YugabyteDB, which begins as PostgreSQL does', made: says(yugabyte), refusal: notPostgres },
  {
    is: 'an engine whose list of locks is always empty',
    made: 'create view pg_locks as select * from pg_catalog.pg_locks where false',
    refusal: /its pg_locks is empty, which PostgreSQL's never is/,
  },
  {
    is: 'an engine without snapshots',
    made: `create function pg_current_snapshot() returns pg_snapshot language plpgsql
      as $$ begin raise undefined_function using message = 'no pg_current_snapshot'; end $$`,
    refusal: /lacks what PostgreSQL has \(no pg_current_snapshot\)/,
  },
  {
    is: 'a version that is too old',
    made: `create function current_setting(text) returns text language sql
      as $$ select case $1 when 'server_version_num' then '140011' else pg_catalog.current_setting($1) end $$`,
    refusal: /Atrium needs PostgreSQL 15 or newer/,
  },
]

describe('a server that is not PostgreSQL, or an old version', () => {
  let database: FreshDatabase
  let settings: { ATRIUM_DATABASE: string; ATRIUM_PORT: string }
  before(async () => {
    database = await freshDatabase('postgres')
    settings = { ATRIUM_DATABASE: database.url, ATRIUM_PORT: '0' }
    const name = new URL(database.url).pathname.slice(1)
    await ask(`alter database ${name} set search_path = public, pg_catalog`)
  })
  after(() => database?.drop())
  beforeEach(() => ask('drop schema public cascade; create schema public'))

  async function ask(text: string): Promise<void> {
    const client = new Client({ connectionString: database.url })
    await client.connect()
    await client.query(text)
    await client.end()
  }

  for (const { is, made, refusal } of impostors) {
    test(`is rejected by a node and by doctor, with the reason: ${is}`, async () => {
      await ask(made)
      await assert.rejects(startService(readConfig(settings)), refusal)
      const { code, stdout } = await command(settings, 'doctor', '--json')
      const [finding] = JSON.parse(stdout).findings.filter((one: { check: string }) => one.check === 'database')
      assert.equal(code, 1)
      assert.match(finding.detail, refusal)
    })
  }
})

function says(version: string): string {
  return `create function version() returns text language sql as $$ select '${version}' $$`
}
