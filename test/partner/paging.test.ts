import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextPageLink } from '../../src/http/pipeline/query.ts'
import { type Answered, onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { seed } from '../harness/seed.ts'

const rooms = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ id: `${from + n}`, name: `Room ${from + n}` }))

const estate = {
  facilities: Array.from({ length: 7 }, (_, n) => ({
    id_external: `f-${n}`,
    name: `Facility ${n}`,
    status: n % 2 === 0 ? 'active' : 'closed',
    areas: n === 0 ? rooms(1, 25) : [],
    areas_autocomplete_list: n === 0 ? rooms(1, 25) : [],
  })),
  partners: [{ id: 'all', name: 'All', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}

const nextOf = ({ headers }: Answered) => /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]

/** Follows the Link headers and calls `between` after each page. */
async function follow({ ask }: TestAtrium, path: string, between: (page: number) => Promise<unknown> = async () => {}) {
  const pages: { id_external: string }[][] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer: Answered = await ask(`GET ${next}`, { as: 'all' })
    assert.equal(answer.status, 200, answer.text)
    pages.push(answer.body.areas_autocomplete_list ?? answer.body)
    next = nextOf(answer)
    await between(pages.length)
  }
  return pages
}

onEachEngine('paging', { estate }, (atrium) => {
  const lists = ['/v1/facilities/', '/v1/facilities/f-0/areas', '/v1/facilities/f-0/areas_autocomplete_list']
  for (const path of lists) {
    for (const limit of [1, 3, 24, 25, 26, 1000]) {
      test(`${path} in pages of ${limit} is the whole list`, async () => {
        const whole = (await follow(atrium(), path)).flat()
        const pages = await follow(atrium(), `${path}?limit=${limit}`)
        assert.deepEqual(pages.flat(), whole)
        assert.ok(pages.every((page) => page.length <= limit && page.length > 0))
      })
    }
    for (const bad of [
      'limit=0',
      'limit=1001',
      'limit=-1',
      'limit=1.5',
      'limit=',
      'limit=x',
      'cursor=x',
      'cursor=',
      'cursor=W10',
      'limit=2&cursor=WyJmIiwieCJd',
    ]) {
      test(`${path}?${bad} is refused`, async () => {
        assertProblem(await atrium().ask(`GET ${path}?${bad}`, { as: 'all' }), 400, 'parameter_invalid')
      })
    }
  }

  test('without a limit there is no Link', async () => {
    for (const path of lists) assert.equal((await atrium().ask(`GET ${path}`, { as: 'all' })).headers.get('link'), null)
  })

  test('filters stay on the next page', async () => {
    const closed = await follow(atrium(), '/v1/facilities/?status=closed&limit=2')
    assert.deepEqual(
      closed.flat().map(({ id_external }) => id_external),
      ['f-1', 'f-3', 'f-5'],
    )
    const searched = await follow(atrium(), '/v1/facilities/f-0/areas?q=room+1&limit=4')
    assert.equal(searched.flat().length, 11)
    assert.equal(searched.length, 3)
  })

  test('a cursor of one list is refused by another', async () => {
    const next = nextOf(await atrium().ask('GET /v1/facilities/?limit=1', { as: 'all' })) ?? ''
    const cursor = next.split('cursor=')[1]
    assertProblem(
      await atrium().ask(`GET /v1/facilities/f-0/areas?cursor=${cursor}`, { as: 'all' }),
      400,
      'parameter_invalid',
    )
  })

  test('a cursor is refused where another facility, filter or partner makes it another list', async () => {
    const areas = '/v1/facilities/f-0/areas'
    const list = '/v1/facilities/f-0/areas_autocomplete_list'
    const elsewhere: Record<string, string[]> = {
      [`${areas}?limit=2`]: ['/v1/facilities/f-1/areas?limit=2', `${areas}?limit=2&q=room`, list],
      [`${areas}?limit=2&q=room`]: [`${areas}?limit=2`, `${areas}?limit=2&q=roo`, `${areas}?q=room&active_at=now`],
      [`${list}?limit=2&q=room`]: [`${list}?limit=2`, '/v1/facilities/f-1/areas_autocomplete_list?limit=2&q=room'],
      '/v1/facilities/?limit=2&status=active': ['/v1/facilities/?limit=2', '/v1/facilities/?status=closed'],
      [`${areas}?limit=2&open=false`]: [`${areas}?limit=2`, `${areas}?open=true`, `${areas}?open=false&service=tv`],
      '/v1/facilities/?limit=2&type=hotel': ['/v1/facilities/?limit=2', '/v1/facilities/?type=hospital'],
      '/v1/facilities/?limit=2&q=f': ['/v1/facilities/?limit=2', '/v1/facilities/?q=facility'],
    }
    for (const [from, others] of Object.entries(elsewhere)) {
      const cursor = nextOf(await atrium().ask(`GET ${from}`, { as: 'all' }))?.split('cursor=')[1]
      assert.ok(cursor, from)
      for (const other of others) {
        const path = `${other}${other.includes('?') ? '&' : '?'}cursor=${cursor}`
        assertProblem(await atrium().ask(`GET ${path}`, { as: 'all' }), 400, 'parameter_invalid')
      }
      const more = await atrium().ask(`GET ${from.replace('limit=2', 'limit=5')}&cursor=${cursor}`, { as: 'all' })
      assert.equal(more.status, 200, 'a page of another size is the same list')
    }
  })

  test('the ETag of a page depends on whether there is a next page', async () => {
    const facilities = ['f-2', 'f-3'].map((id_external) => ({ id_external, areas: rooms(1, 2) }))
    const lists = facilities.map(({ id_external }) => ({ id_external, areas_autocomplete_list: rooms(1, 2) }))
    await seed(atrium().service.db, { facilities: facilities.slice(0, 1) })
    await seed(atrium().service.db, { facilities: lists.slice(0, 1) })
    for (const [path, more] of [
      ['/v1/facilities/f-2/areas', { id_external: 'f-2', areas: rooms(3, 3) }],
      ['/v1/facilities/f-2/areas_autocomplete_list', { id_external: 'f-2', areas_autocomplete_list: rooms(1, 3) }],
    ] as const) {
      const first = await atrium().ask(`GET ${path}?limit=2`, { as: 'all' })
      assert.equal(nextOf(first), undefined)
      const known = { as: 'all', headers: { 'if-none-match': first.headers.get('etag') ?? '' } }
      assert.equal((await atrium().ask(`GET ${path}?limit=2`, known)).status, 304)
      await seed(atrium().service.db, { facilities: [more] })
      const second = await atrium().ask(`GET ${path}?limit=2`, known)
      assert.deepEqual([second.status, second.text], [200, first.text], path)
      assert.notEqual(nextOf(second), undefined)
    }
  })

  test('rows that are added or deleted meanwhile shift nothing', async () => {
    const pages = await follow(atrium(), '/v1/facilities/f-0/areas?limit=5', async (page) => {
      if (page !== 1) return
      await atrium().service.db.write((tx) =>
        tx.query.deleteFrom('area').where('id_external', 'in', ['f-0-3', 'f-0-5', 'f-0-9']).execute(),
      )
      await seed(atrium().service.db, {
        facilities: [
          {
            id_external: 'f-0',
            areas: [
              { id: '0', name: 'New' },
              { id: '7b', name: 'New' },
            ],
          },
        ],
      })
    })
    const seen = pages.flat().map(({ id_external }) => id_external.slice(4))
    const expected = [
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '7b',
      '8',
      ...Array.from({ length: 16 }, (_, n) => `${n + 10}`),
    ]
    assert.deepEqual(seen, expected)
  })

  test('ids of any length and script page as well as others', async () => {
    const ids = ['\u{1f6cf}'.repeat(64), '1a'.repeat(32), '\u90e8'.repeat(64), '"'.repeat(64)]
    const named = ids.map((id) => ({ id, name: 'Long' }))
    await seed(atrium().service.db, {
      facilities: [{ id_external: 'f-1', areas: named, areas_autocomplete_list: named }],
    })
    for (const path of ['/v1/facilities/f-1/areas', '/v1/facilities/f-1/areas_autocomplete_list']) {
      assert.equal((await follow(atrium(), `${path}?limit=1`)).length, ids.length)
    }
  })

  test('the autocomplete list continues after the entry it stopped at, also after a replacement', async () => {
    const path = '/v1/facilities/f-0/areas_autocomplete_list'
    const value = ['x', '5', '6', 'y'].map((id) => ({ id_external: id, name: id }))
    const pages = await follow(atrium(), `${path}?limit=5`, async (page) => {
      if (page === 1) await atrium().ask(`PATCH ${path}`, { as: 'all', body: { value } })
    })
    assert.deepEqual(
      pages[1]?.map(({ id_external }) => id_external),
      ['f-0-6', 'f-0-y'],
    )
  })
})

test('a question mark in a filter stays on the next page', () => {
  assert.equal(nextPageLink('/v1/x?q=a?b&limit=1', 'c'), '</v1/x?q=a%3Fb&limit=1&cursor=c>; rel="next"')
})
