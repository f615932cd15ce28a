import assert from 'node:assert/strict'
import { StatementSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine, startAtrium } from '../harness/atrium.ts'
import { startNodes } from './nodes.ts'

const list = 'GET /v1/facilities/'

onEachEngine('an audit log that cannot be read', {}, (atrium) => {
  test('fails requests, and not the process', async () => {
    const { ask, service } = atrium()
    const patiently = (request: string, as?: string) =>
      Promise.race([ask(request, { as }), sleep(30_000, undefined, { ref: false })])
    assert.equal((await ask(list, { as: 'everything' })).status, 200)
    await service.db.write((tx) => tx.query.schema.dropTable('audit_entry').execute())
    for (const request of [list, 'GET /v1/facilities/lyon-01/areas', 'GET /v1/me', list]) {
      const answer = await patiently(request, 'everything')
      assert.ok(answer?.status === 500 || answer?.status === 200, `${request}: ${answer?.status}`)
    }
    assert.equal((await patiently('GET /healthz'))?.status, 200)
  })
})

test('a poll that failed half-way is repeated as a whole', async (t) => {
  const nodes = await startNodes('sqlite')
  t.after(() => nodes.stop())
  const { a, b } = nodes
  const name = async () => (await b.ask('GET /v1/facilities/lyon-01', { as: 'everything' })).body.name
  await name()
  await name()
  await a.ask('PATCH /v1/facilities/lyon-01/name', { as: 'everything', body: { value: 'New' } })
  // The engine detects a commit, but reading its audit entries fails.
  const broken = t.mock.method(StatementSync.prototype, 'all', function (this: StatementSync) {
    if (!this.sourceSQL.includes('audit_entry')) return original.call(this, {})
    throw Object.assign(new Error('disk I/O error'), { errcode: 10 })
  })
  await assert.rejects(async () => b.service.db.cache.ensureFresh())
  broken.mock.restore()
  assert.equal(await name(), 'New')
})

const original = StatementSync.prototype.all

test('a node invalidates everything at an action that it does not know', async (t) => {
  const nodes = await startNodes('sqlite')
  t.after(() => nodes.stop())
  const { a, b, operator } = nodes
  const name = async () => (await b.ask('GET /v1/facilities/lyon-01', { as: 'everything' })).body.name
  await name()
  await name()
  // As a node of a newer version would do it.
  await operator.write(async (tx) => {
    await tx.query.updateTable('facility').set({ name: 'Newer' }).where('id_external', '=', 'lyon-01').execute()
    const entry = { at: '', actor_kind: 'operator', actor: 'x', action: 'facility.rebrand', detail: '{}' }
    await tx.query.insertInto('audit_entry').values(entry).execute()
  })
  assert.equal(await name(), 'Newer')
  assert.equal((await a.ask(list, { as: 'bare' })).body[0].name, 'Newer')
})

onEachEngine('more changes at once than are worth going through', {}, (atrium) => {
  test('are all seen', async () => {
    const { ask, service, engine } = atrium()
    const name = async () => (await ask('GET /v1/facilities/lyon-01', { as: 'everything' })).body.name
    await name()
    await name()
    await service.db.write(async (tx) => {
      const entry = {
        at: '',
        actor_kind: 'operator',
        actor: 'x',
        action: 'room.open',
        facility: 'chu-nord',
        detail: '{}',
      }
      for (let run = 0; run < 12; run++) {
        const rows = Array.from({ length: 500 }, () => entry)
        await tx.query.insertInto('audit_entry').values(rows).execute()
      }
      await tx.query.updateTable('facility').set({ name: engine }).where('id_external', '=', 'lyon-01').execute()
      await tx.query
        .insertInto('audit_entry')
        .values({ ...entry, action: 'facility.change', facility: 'lyon-01' })
        .execute()
    })
    assert.equal(await name(), engine)
  })
})

test('a node that starts on a database with a long audit log begins at its end', async (t) => {
  const first = await startNodes('postgres')
  t.after(() => first.stop())
  await first.a.ask('PATCH /v1/facilities/lyon-01/name', { as: 'everything', body: { value: 'Before' } })
  const late = await startAtrium('postgres', { database: first.database })
  t.after(() => late.stop())
  assert.equal((await late.ask('GET /v1/facilities/lyon-01', { as: 'everything' })).body.name, 'Before')
  await first.a.ask('PATCH /v1/facilities/lyon-01/name', { as: 'everything', body: { value: 'After' } })
  assert.equal((await late.ask('GET /v1/facilities/lyon-01', { as: 'everything' })).body.name, 'After')
})
