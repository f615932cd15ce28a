import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { revokeToken } from '../../src/operations/access/token.ts'
import { onEachEngine, startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { freshDatabase } from '../harness/databases.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { until } from '../harness/workers.ts'

const rename = 'PATCH /v1/facilities/lyon-01/name'

/** Runs the work while another connection has the row of lyon-01 locked. */
async function whileLocked(url: string, change: string, work: (release: () => Promise<unknown>) => Promise<void>) {
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  try {
    await other.query('begin')
    await other.query("select id from facility where id_external = 'lyon-01' for update")
    await other.query(change)
    await work(() => other.query('commit'))
  } finally {
    await other.end()
  }
}

async function onServer(work: (atrium: TestAtrium, url: string) => Promise<void>): Promise<void> {
  const database = await freshDatabase('postgres')
  const seeded = await startAtrium('postgres', { database, seeded: true })
  try {
    await work(seeded, database.url)
  } finally {
    await seeded.stop()
    await database.drop()
  }
}

/** Withdraws the grant as the operations do: the version tells open transactions, the audit entry tells caches. */
const ungrant = `delete from partner_grant where partner_id = 'hotelier';
  update partner set version = version + 1 where id = 'hotelier';
  insert into audit_entry (at, actor_kind, actor, action, partner, detail)
    values ('2026-11-15T08:30:00.000Z', 'operator', 'test', 'partner.update', 'hotelier', '{}')`

/** Waits until a session of this database waits for a lock. */
async function untilWaiting(url: string): Promise<void> {
  const server = new pg.Client({ connectionString: url })
  await server.connect()
  const waitingSessions =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  await until('a session waits for a lock', async () => (await server.query(waitingSessions)).rows.length > 0)
  await server.end()
}

test('a write that waited for its row sees that its grant was withdrawn meanwhile', () =>
  onServer(async (atrium, url) => {
    await whileLocked(url, ungrant, async (release) => {
      const waiting = atrium.ask(rename, { as: 'hotelier', body: { value: 'Too late' } })
      await untilWaiting(url)
      await release()
      assertProblem(await waiting, 403, 'facility_not_granted')
    })
  }))

test('writes that wait for a lock do not block reads, and time out', () =>
  onServer(async (atrium, url) => {
    await whileLocked(url, 'select 1', async () => {
      const waiting = Array.from({ length: 12 }, (_, n) =>
        atrium.ask(rename, { as: 'everything', body: { value: `Name ${n}` } }),
      )
      await untilWaiting(url)
      assert.equal((await atrium.ask('GET /v1/facilities/', { as: 'ward' })).status, 200)
      assert.equal((await atrium.ask('GET /readyz')).status, 200)
      for (const answer of await Promise.all(waiting)) {
        assertProblem(answer, 503, 'database_unavailable')
        assert.equal(answer.headers.get('retry-after'), '1')
      }
    })
  }))

test('a write that waits for its row does not block writes to other rows', () =>
  onServer(async (atrium, url) => {
    const named = (facility: string) =>
      atrium.ask(`PATCH /v1/facilities/${facility}/name`, { as: 'everything', body: { value: 'Another' } })
    await whileLocked(url, 'select 1', async (release) => {
      const waiting = named('lyon-01')
      assert.deepEqual((await Promise.all([named('chu-nord'), named('nice-02')])).map(statusOf), [200, 200])
      await untilWaiting(url)
      await release()
      assert.equal((await waiting).status, 200)
    })
  }))

const failing = `create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end';
  create trigger refuse before update on facility for each row when (new.name = 'Refused') execute function refuse()`

test('a write that the server refuses does not fail others in its batch', () =>
  onServer(async (atrium, url) => {
    const server = new pg.Client({ connectionString: url })
    await server.connect()
    await server.query(failing)
    await server.end()
    const named = (facility: string, value: string) =>
      atrium.ask(`PATCH /v1/facilities/${facility}/name`, { as: 'everything', body: { value } })
    const [refused, ...others] = await Promise.all([
      named('lyon-01', 'Refused'),
      named('chu-nord', 'Kept'),
      named('nice-02', 'Kept'),
    ])
    assert.equal(refused.status, 500)
    assert.deepEqual(others.map(statusOf), [200, 200])
    assert.deepEqual(await namesOf(atrium), ['Hôtel Bellecour', 'Kept', 'Kept'])
  }))

async function namesOf(atrium: TestAtrium): Promise<string[]> {
  const ids = ['lyon-01', 'chu-nord', 'nice-02']
  const answers = await Promise.all(ids.map((id) => atrium.ask(`GET /v1/facilities/${id}`, { as: 'everything' })))
  return answers.map(({ body }) => body.name)
}

function statusOf({ status }: { status: number }): number {
  return status
}

test('a connection that breaks in use fails only its request', () =>
  onServer(async (atrium, url) => {
    await whileLocked(url, 'select 1', async () => {
      const waiting = atrium.ask(rename, { as: 'everything', body: { value: 'Broken' } })
      await untilWaiting(url)
      const server = new pg.Client({ connectionString: process.env.ATRIUM_TEST_POSTGRES })
      await server.connect()
      const name = new URL(url).pathname.slice(1)
      await server.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'atrium'",
        [name],
      )
      await server.end()
      assertProblem(await waiting, 503, 'database_unavailable')
    })
    assert.equal((await atrium.ask(rename, { as: 'everything', body: { value: 'Back' } })).status, 200)
  }))

onEachEngine('of concurrent changes with one If-Match', {}, (atrium) => {
  test('one succeeds', async () => {
    const { ask } = atrium()
    const read = await ask('GET /v1/facilities/lyon-01', { as: 'everything' })
    const headers = { 'if-match': read.headers.get('etag') as string }
    const changes = ['name', 'ssid_public', 'subscription_url'].map((property) =>
      ask(`PATCH /v1/facilities/lyon-01/${property}`, {
        as: 'everything',
        headers,
        body: { value: 'https://changed' },
      }),
    )
    assert.deepEqual((await Promise.all(changes)).map(statusOf).sort(), [200, 412, 412])
  })
})

onEachEngine('a token that is revoked while the body is being sent', {}, (atrium) => {
  test('changes nothing', async () => {
    const { tokens, service, ask } = atrium()
    const token = tokens.everything as string
    const body = new ReadableStream({
      async pull(controller) {
        // Long enough for the head to arrive first. In either order the write must not happen.
        await sleep(300)
        await revokeToken(service.db, token.slice(4, 12))
        controller.enqueue(new TextEncoder().encode('{"value":"Late"}'))
        controller.close()
      },
    })
    const response = await fetch(`${atrium().url}/v1/facilities/lyon-01/name`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    })
    assert.equal(response.status, 401)
    assert.equal((await ask('GET /v1/facilities/lyon-01', { as: 'bare' })).body.name, 'Hôtel Bellecour')
  })
})
