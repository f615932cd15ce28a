import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '../../src/storage/database.ts'
import { passMoments } from '../../src/storage/service-moment.ts'
import { onNodes } from '../cache/nodes.ts'
import type { TestAtrium } from '../harness/atrium.ts'
import { estate } from '../harness/estate.ts'
import { allAfter, type Event, page, starts } from './reading.ts'

const room = '/v1/areas/chu-nord-215'
const endingSeconds = 3600
const add = async (atrium: TestAtrium, ...services: object[]): Promise<{ id: string; code: string }[]> => {
  const body = { value: JSON.stringify(services) }
  const answer = await atrium.ask(`POST ${room}/data_services`, { as: 'ward', body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.services.data_services
}
const open = (atrium: TestAtrium) => atrium.ask(`POST ${room}`, { as: 'ward' })
const from = async (atrium: TestAtrium) => (await starts(atrium, ['ward'])).get('ward') ?? ''
const day = (time: string) => `2999-01-01T${time}:00.000Z`
const pass = (db: Db, now: string) => db.write((tx) => passMoments(tx, now, endingSeconds))
const moments = (events: Event[]) =>
  events.flatMap(({ type, occurred_at, data }) =>
    /^service\.(started|end)/.test(type) ? [[type, occurred_at, data.id]] : [],
  )

onNodes('events that are due at a time', estate, (nodes) => {
  test('are sent once, in order, whichever node finds them', async () => {
    const { a, b } = nodes()
    await open(a)
    const start = await from(a)
    const [tv, wifi] = await add(
      a,
      { code: 'tv', start: day('10:00'), end: day('12:00') },
      { code: 'wifi', end: day('11:30') },
    )
    const dbs = [a.service.db, b.service.db, a.service.db, b.service.db]
    for (const now of ['09:59', '10:45', '10:45', '12:00', '13:00']) {
      await Promise.all(dbs.map((db) => pass(db, day(now))))
    }
    const events = await allAfter(b, 'ward', start)
    assert.deepEqual(moments(events), [
      ['service.started', day('10:00'), tv?.id],
      ['service.ending', day('10:30'), wifi?.id],
      ['service.ending', day('11:00'), tv?.id],
      ['service.ended', day('11:30'), wifi?.id],
      ['service.ended', day('12:00'), tv?.id],
    ])
    const started = events.filter(({ type }) => type === 'service.started')
    assert.deepEqual(
      started.map(({ origin, area, data }) => [origin, area, data.service]),
      [['other', 'chu-nord-215', tv]],
    )
  })

  test('are not affected by services that are added or deleted meanwhile', async () => {
    const { a, b } = nodes()
    await open(a)
    const start = await from(a)
    const [tv] = await add(a, { code: 'tv', start: day('10:00') })
    const [, wifi] = await add(b, { code: 'wifi', start: day('09:00') })
    const [, , radio] = await add(a, { code: 'radio', start: day('11:00') })
    await a.ask(`DELETE ${room}/data_services/${tv?.id}`, { as: 'ward' })
    await pass(b.service.db, day('10:30'))
    await pass(b.service.db, day('11:00'))
    assert.deepEqual(moments(await allAfter(a, 'ward', start)), [
      ['service.started', day('09:00'), wifi?.id],
      ['service.started', day('11:00'), radio?.id],
    ])
  })

  test('are not sent for services of a cycle that has ended', async () => {
    const { a } = nodes()
    await open(a)
    const start = await from(a)
    await add(a, { code: 'tv', start: day('10:00'), end: day('12:00') })
    await open(a)
    await pass(a.service.db, day('13:00'))
    assert.deepEqual(moments(await allAfter(a, 'ward', start)), [])
  })

  test('are sent by the clock, without a request', async () => {
    const { a, b } = nodes()
    await open(a)
    const start = await from(b)
    await add(a, { code: 'tv', end: new Date(Date.now() + 500).toISOString() })
    const types: string[] = []
    for (let after = start; types.length < 2; ) {
      const { data, next } = await page(b, 'ward', `?after=${after}&wait=30`)
      types.push(...data.map(({ type }) => type))
      after = next
    }
    assert.deepEqual(types, ['services.added', 'service.ended'])
  })
})
