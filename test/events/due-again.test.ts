import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { migrate } from '../../src/storage/migrate.ts'
import { passMoments } from '../../src/storage/service-moment.ts'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { allAfter, starts } from './reading.ts'

const migration = '0010-due-again'
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const due = ({ service }: TestAtrium, room: string) =>
  service.db.read(async ({ query }) => {
    const found = query.selectFrom('area').where('id_external', '=', room).select('next_due_at')
    return (await found.executeTakeFirstOrThrow()).next_due_at
  })

onEachEngine('rooms for which an earlier version lost when something is due', {}, (atrium) => {
  const add = async (room: string, ...items: object[]) => {
    const body = { value: JSON.stringify(items) }
    const added = await atrium().ask(`POST /v1/areas/${room}/data_services`, { as: 'ward', body })
    assert.equal(added.status, 200, added.text)
    return added.body.services.data_services
  }

  test('send their events again, and others are unchanged', async () => {
    const { db } = atrium().service
    const start = (await starts(atrium(), ['ward'])).get('ward') ?? ''
    const [soon, late] = [inHours(1), inHours(60)]
    const [first] = await add('chu-nord-214', { code: 'tv', '7': 'x', end: soon })
    await add('chu-nord-215', { code: 'over', end: inHours(-2), '7': 'x' }, { code: 'tv', '0': {}, start: late })
    await add('chu-nord-216', { code: 'tv', x: 7, end: late }, { code: '7', '7': 'x' })
    await db.write(async ({ query }) => {
      await sql`update area set next_due_at = null`.execute(query)
      await sql`delete from atrium_migration where name = ${migration}`.execute(query)
    })
    const beforeMs = Date.now()
    assert.deepEqual(await migrate(db), [migration])
    assert.equal(await due(atrium(), 'chu-nord-214'), soon)
    const [tomorrowMs, upTo] = [Date.parse((await due(atrium(), 'chu-nord-215')) as string) - 86_400_000, Date.now()]
    assert.ok(beforeMs <= tomorrowMs && tomorrowMs <= upTo)
    assert.equal(await due(atrium(), 'chu-nord-216'), null)
    await db.write((tx) => passMoments(tx, inHours(30), 3600))
    assert.deepEqual([await due(atrium(), 'chu-nord-214'), await due(atrium(), 'chu-nord-215')], [null, late])
    const ended = (await allAfter(atrium(), 'ward', start)).filter(({ type }) => type === 'service.ended')
    assert.deepEqual(
      ended.map(({ data }) => data.service),
      [first],
    )
  })
})
