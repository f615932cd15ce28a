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

describe('a PostgreSQL that goes away and comes back', () => {
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

  async function isAway(): Promise<void> {
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

  async function comesBack(): Promise<void> {
    await until('the node is ready', async () => (await asked('GET /readyz')).status === 200)
    assert.equal((await asked(rename, 'Back')).status, 200)
    assert.equal((await asked(read)).body.name, 'Back')
  }

  test('is found though it is the second that the setting names', comesBack)

  test('crashes: nothing is answered from memory', async () => {
    await server.crash()
    await isAway()
    await server.start()
    await comesBack()
  })

  test('hangs: nobody waits for it without end', async () => {
    const running = asked(rename, 'Running')
    server.freeze()
    try {
      await Promise.all([isAway(), running])
    } finally {
      server.thaw()
    }
    await comesBack()
  })

  test('is set to take no writes: it is not read from either', async () => {
    const set = async (value: string) => {
      await server.query(`alter system set default_transaction_read_only = ${value}`)
      await server.query('select pg_reload_conf()')
    }
    await set('on')
    try {
      // Each of its connections hears of it in its own time.
      await until('every connection has heard', () =>
        isAway().then(
          () => true,
          () => false,
        ),
      )
      await isAway()
    } finally {
      await set('off')
    }
    await comesBack()
  })

  test('breaks off the wait for its standby: what was committed is not acknowledged, and the key finds it', async () => {
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

  test('is not there yet when a node starts: the node waits', async () => {
    await server.crash()
    const log: string[] = []
    const config = readConfig({ ATRIUM_PORT: '0', ATRIUM_DATABASE: own.url })
    const starting = startService(config, { logStream: { write: (line) => void log.push(line) } })
    await until('the node says so', async () => log.some((line) => line.includes('waiting for the database')))
    await server.start()
    await (await starting).close()
    await comesBack()
  })
})

/** Two hosts, of which the first has nobody listening. */
function behindDeadOne(url: string): string {
  return url.replace('@', '@127.0.0.1:1,').concat('?target_session_attrs=read-write')
}
