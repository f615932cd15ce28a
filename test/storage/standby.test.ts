import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Connection } from '../../src/storage/postgres/connection.ts'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import type { PostgresInstance } from '../harness/postgres-instance.ts'
import { type OwnPostgres, startPostgres } from '../harness/postgres-server.ts'
import { followSynchronously } from '../harness/postgres-standby.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { until } from '../harness/workers.ts'

const read = 'GET /v1/facilities/lyon-01'
const rename = 'PATCH /v1/facilities/lyon-01/name'

describe('a node whose PostgreSQL has a standby', () => {
  let own: OwnPostgres
  let primary: PostgresInstance
  let standby: PostgresInstance
  let atrium: TestAtrium
  before(async () => {
    own = await startPostgres()
    primary = own.server
    standby = await own.beside('standby')
    await followSynchronously(primary, standby)
    const both = own.url.replace(/@([^/]+)/, `@$1,${new URL(standby.url).host}`)
    atrium = await startAtrium('postgres', { database: { url: both }, seeded: true })
  })
  after(async () => {
    await atrium?.stop()
    await own?.stop()
  })

  const asked = (request: string, value?: string) =>
    atrium.ask(request, { as: 'everything', ...(value !== undefined && { body: { value } }) })
  const isReady = async () => (await asked('GET /readyz')).status === 200

  async function worksAgain(): Promise<void> {
    await until('the node is ready', isReady)
    const name = `Named ${performance.now()}`
    assert.equal((await asked(rename, name)).status, 200)
    assert.equal((await asked(read)).body.name, name)
  }

  test('never connects to the standby', async () => {
    for (let tries = 0; tries < 20; tries++) {
      await assert.rejects(new Connection({ url: standby.url }).connect(), { code: '25006' })
    }
  })

  test('finds a primary that restarted, and logs one outage with its cause', async () => {
    atrium.log.length = 0
    await primary.crash()
    // Long enough for the standby to be probed more than once.
    await until('the node has noticed', async () => !(await isReady()))
    for (let tries = 0; tries < 30; tries++) assertProblem(await asked(read), 503, 'database_unavailable')
    await primary.start()
    await worksAgain()
    const lines = atrium.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'request')
    const [{ msg, level, error }] = lines
    assert.deepEqual([level, msg], ['warn', 'the database cannot be used'])
    assert.ok(error.message.length > 0, JSON.stringify(error))
    assert.deepEqual(
      lines.slice(1).filter((line) => line.msg !== 'the database can be used again'),
      [],
    )
  })

  test('finds a primary that hung', async () => {
    primary.freeze()
    try {
      await until('the node has noticed', async () => !(await isReady()))
      assertProblem(await asked(read), 503, 'database_unavailable')
    } finally {
      primary.thaw()
    }
    await worksAgain()
  })

  test('reconnects after the server closed all connections', async () => {
    await primary.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'atrium'")
    await worksAgain()
  })

  test('follows the promotion of the standby, and logs it once with the cause', async () => {
    await primary.query("alter system set synchronous_standby_names = ''")
    await primary.query('select pg_reload_conf()')
    await primary.kill()
    await standby.query('select pg_promote()')
    await standby.query("alter system set synchronous_standby_names = ''")
    await standby.query('select pg_reload_conf()')
    await worksAgain()
    const changes = atrium.log.map((line) => JSON.parse(line)).filter(({ from }) => from !== undefined)
    const [{ level, from, to, reason }] = changes
    assert.equal(changes.length, 1)
    assert.deepEqual([level, from, to], ['warn', new URL(primary.url).host, new URL(standby.url).host])
    assert.ok(reason.message.length > 0)
  })
})
