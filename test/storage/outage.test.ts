import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import type { PostgresInstance } from '../harness/postgres-instance.ts'
import { type OwnPostgres, startPostgres } from '../harness/postgres-server.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { until } from '../harness/workers.ts'

const read = 'GET /v1/facilities/lyon-01'
const rename = 'PATCH /v1/facilities/lyon-01/name'

describe('a node whose PostgreSQL is unreachable for a while', () => {
  let own: OwnPostgres
  let server: PostgresInstance
  let atrium: TestAtrium
  before(async () => {
    own = await startPostgres()
    server = own.server
    atrium = await startAtrium('postgres', {
      database: { url: behindDeadOne(own.url) },
      seeded: true,
    })
  })
  after(async () => {
    await atrium?.stop()
    await own?.stop()
  })

  const asked = (request: string, value?: string) =>
    atrium.ask(request, { as: 'everything', ...(value !== undefined && { body: { value } }) })

  async function assertUnavailable(): Promise<void> {
    for (const answer of await Promise.all([
      asked(read),
      asked(rename, 'Away'),
      asked('GET /v1/facilities/'),
      asked(read),
    ])) {
      assertProblem(answer, 503, 'database_unavailable')
      assert.equal(answer.headers.get('retry-after'), '1')
    }
    assert.equal((await asked('GET /healthz')).status, 200)
    assertProblem(await asked('GET /readyz'), 503, 'not_ready')
  }

  async function assertRecovered(): Promise<void> {
    await until('the node is ready', async () => (await asked('GET /readyz')).status === 200)
    assert.equal((await asked(rename, 'Back')).status, 200)
    assert.equal((await asked(read)).body.name, 'Back')
  }

  test('finds the server, though it is the second that the setting names', assertRecovered)

  test('after a crash: serves nothing from its cache', async () => {
    await server.crash()
    await assertUnavailable()
    await server.start()
    await assertRecovered()
  })

  test('while it hangs: times out', async () => {
    const running = asked(rename, 'Running')
    server.freeze()
    try {
      await Promise.all([assertUnavailable(), running])
    } finally {
      server.thaw()
    }
    await assertRecovered()
  })

  test('while it is read-only: does not read from it either', async () => {
    const set = async (value: string) => {
      await server.query(`alter system set default_transaction_read_only = ${value}`)
      await server.query('select pg_reload_conf()')
    }
    await set('on')
    try {
      // The server notifies each connection separately.
      await until('every connection is notified', () =>
        assertUnavailable().then(
          () => true,
          () => false,
        ),
      )
      await assertUnavailable()
    } finally {
      await set('off')
    }
    await assertRecovered()
  })

  test('when the wait for its standby is cancelled: does not acknowledge the commit, and a retry finds it by its key', async () => {
    const set = async (value: string) => {
      await server.query(`alter system set synchronous_standby_names = '${value}'`)
      await server.query('select pg_reload_conf()')
    }
    const add = () =>
      atrium.ask('POST /v1/areas/chu-nord-214/data_services', {
        as: 'everything',
        headers: { 'idempotency-key': 'in doubt' },
        body: { value: JSON.stringify([{ code: 'tv' }]) },
      })
    await set('nobody')
    const waiting = add()
    await until('the commit waits', async () => {
      const cancelled = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
      return (await server.query(cancelled)).length > 0
    })
    assertProblem(await waiting, 503, 'database_unavailable')
    await set('')
    const again = await add()
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [200, 'true'])
  })

  test('at its own start: waits for the server', async () => {
    await server.crash()
    const log: string[] = []
    const config = readConfig({ ATRIUM_PORT: '0', ATRIUM_DATABASE: own.url })
    const starting = startService(config, { logStream: { write: (line) => void log.push(line) } })
    await until('the node says so', async () => log.some((line) => line.includes('waiting for the database')))
    await server.start()
    await (await starting).close()
    await assertRecovered()
  })
})

/** Adds a first host, at which nothing listens. */
function behindDeadOne(url: string): string {
  return url.replace('@', '@127.0.0.1:1,').concat('?target_session_attrs=read-write')
}
