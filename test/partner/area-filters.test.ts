import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { seed } from '../harness/seed.ts'

const path = '/v1/facilities/chu-nord/areas'
const oddCode = '50%_off!\\"é'
/** A field of the partner's own that looks like a common one. */
const misleading = { code: 'radio', note: '"code":"fridge"', nested: { code: 'fridge' } }

onEachEngine('filters of areas', {}, (atrium) => {
  const get = (query: string, as = 'ward') => atrium().ask(`GET ${path}${query}`, { as })
  const found = async (query: string) => {
    const { status, body, text } = await get(query)
    assert.equal(status, 200, text)
    return body.map(({ id_external }: { id_external: string }) => id_external.slice('chu-nord-'.length))
  }
  let between = ''

  before(async () => {
    const done = async (request: string, body?: object) => {
      const answer = await atrium().ask(request, { as: 'ward', ...(body && { body }) })
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    const add = (room: string, ...items: object[]) =>
      done(`POST /v1/areas/chu-nord-${room}/data_services`, { value: JSON.stringify(items) })
    await done('POST /v1/areas/chu-nord-214/')
    await done('POST /v1/areas/chu-nord-216/')
    await add('214', { code: 'tv' }, { code: 'wifi-plus', end: '2020-01-01' }, { code: oddCode })
    await add('215', misleading, { code: 'tv' })
    const { services } = await add('216', { code: 'TV' })
    assert.equal(services.data_services.length, 1)
    const { date_updated } = await done('GET /v1/areas/chu-nord-216/')
    between = new Date(Date.parse(date_updated) + 1).toISOString()
    while (new Date().toISOString() <= between) await new Promise((resolve) => setTimeout(resolve, 1))
    await add('215', { code: 'late' })
  })

  const table: [query: string, rooms: string[]][] = [
    ['?open=true', ['214', '216']],
    ['?open=false', ['215']],
    ['?service=tv', ['214', '215']],
    ['?service=TV', ['216']],
    ['?service=t', []],
    ['?service=fridge', []],
    ['?service=%25', []],
    [`?service=${encodeURIComponent(oddCode)}`, ['214']],
    ['?service=wifi-plus', ['214']],
    ['?service=wifi-plus&active_at=now', []],
    ['?service=wifi-plus&active_at=2019-01-01', ['214']],
    ['?service=tv&open=true', ['214']],
    ['?service=tv&open=true&q=room', ['214']],
    ['?service=tv&q=215', ['215']],
    ['?q=chu-nord-214&open=true', ['214']],
    ['?q=chu-nord-215&open=true', []],
    ['?changed_since=2020-01-01', ['214', '215', '216']],
    ['?changed_since=2999-01-01', []],
    ['?limit=1&service=tv', ['214']],
    ['?limit=1&open=false', ['215']],
  ]
  for (const [query, rooms] of table) {
    test(`${query}: ${rooms.join(', ') || 'none'}`, async () => assert.deepEqual(await found(query), rooms))
  }

  test('changed_since returns what was changed at that time or later, in any form of a date-time', async () => {
    assert.deepEqual(await found(`?changed_since=${between}`), ['215'])
    assert.deepEqual(await found(`?changed_since=${between}&open=true`), [])
    const { body } = await get('?q=215')
    assert.deepEqual(await found(`?changed_since=${body[0].date_updated}`), ['215'])
    const paris = new Date(Date.parse(between) + 3_600_000).toISOString()
    assert.deepEqual(await found(`?changed_since=${paris.replace('Z', '%2B01:00')}`), ['215'])
  })

  test('an area that matches is returned whole', async () => {
    const [whole] = (await get('')).body
    assert.deepEqual((await get('?open=true&limit=1')).body, [whole])
    assert.equal(whole.data_services.length, 3)
  })

  for (const query of [
    ...['open=1', 'open=', 'open=True', 'open=true&open=true', 'service=', 'service=%20', 'service=%00'],
    ...[`service=${'x'.repeat(65)}`, 'changed_since=', 'changed_since=yesterday', 'changed_since=2026-02-30'],
    ...['changed_since=2026-11-15T00:00:00+01:00', 'changed_since=1700000000'],
  ]) {
    test(`?${query} is refused`, async () => assertProblem(await get(`?${query}`), 400, 'parameter_invalid'))
  }

  test('pages of filtered areas follow one another, and their cursors belong to the filters', async () => {
    const rooms = Array.from({ length: 2100 }, (_, n) => ({ id: `r${n}`, name: `Room ${n}` }))
    await seed(atrium().service.db, { facilities: [{ id_external: 'chu-nord', areas: rooms }] })
    for (const room of ['r7', 'r1999', 'r2099']) {
      const body = { value: '[{"code":"rare"}]' }
      await atrium().ask(`POST /v1/areas/chu-nord-${room}/data_services`, { as: 'ward', body })
    }
    for (const filter of ['service=rare', 'service=rare&q=room', 'service=rare&open=false']) {
      const rooms: string[] = []
      for (let next: string | undefined = `${path}?${filter}&limit=2`; next !== undefined; ) {
        const { body, headers, status, text } = await atrium().ask(`GET ${next}`, { as: 'ward' })
        assert.equal(status, 200, text)
        rooms.push(...body.map(({ id_external }: { id_external: string }) => id_external))
        next = /^<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
      }
      assert.deepEqual(rooms, ['chu-nord-r7', 'chu-nord-r1999', 'chu-nord-r2099'], filter)
    }
    const cursor = (await get('?service=rare&limit=1')).headers.get('link')?.match(/cursor=([\w-]+)/)?.[1]
    assert.ok(cursor)
    for (const other of ['limit=1', 'service=tv', 'service=rare&open=false', 'service=rare&changed_since=2020-01-01']) {
      assertProblem(await get(`?${other}&cursor=${cursor}`), 400, 'parameter_invalid')
    }
  })

  test('a filtered list is not sent twice, and shows a change at once', async () => {
    const first = await get('?service=swim')
    const again = () =>
      atrium().ask(`GET ${path}?service=swim`, {
        as: 'ward',
        headers: { 'if-none-match': first.headers.get('etag') ?? '' },
      })
    assert.equal((await again()).status, 304)
    const body = { value: '[{"code":"swim"}]' }
    await atrium().ask('POST /v1/areas/chu-nord-214/data_services', { as: 'ward', body })
    assert.deepEqual(await found('?service=swim'), ['214'])
    assert.equal((await again()).status, 200)
    await atrium().ask('DELETE /v1/areas/chu-nord-214/', { as: 'ward' })
    assert.deepEqual(await found('?service=swim'), [])
  })
})
