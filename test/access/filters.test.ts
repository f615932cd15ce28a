import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'

const canary = 'zz_canary'

/** A hospital whose services and type are canaries, and partners that may read neither, one of them, or both. */
const estate = {
  facilities: [
    { id_external: 'a', name: 'A', type: canary, room_services: true, areas: [{ id: '1', name: 'One' }] },
    { id_external: 'b', name: 'B', type: canary, areas: [{ id: '1', name: 'One' }] },
  ],
  partners: [
    { id: 'all', name: 'All', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] },
    { id: 'none', name: 'None', grants: [{ facilities: ['a', 'b'], read: ['address'], write: '*', rooms: '*' }] },
    {
      id: 'mixed',
      name: 'Reads the type of b and the areas of a',
      grants: [
        { facilities: ['a'], read: ['areas'], write: [], rooms: [] },
        { facilities: ['b'], read: ['type'], write: [], rooms: [] },
      ],
    },
    { id: 'hidden', name: 'Sees b', grants: [{ facilities: ['b'], read: '*', write: [], rooms: [] }] },
  ],
}

onEachEngine('a filter reveals nothing that the caller may not read', { estate }, (atrium) => {
  const ask = (request: string, as: string) => atrium().ask(request, { as, headers: { 'x-request-id': 'filter' } })
  before(async () => {
    const body = { value: JSON.stringify([{ code: canary }]) }
    assert.equal((await atrium().ask('POST /v1/areas/a-1/data_services', { as: 'all', body })).status, 200)
  })
  const everything = ({ status, text, headers }: Awaited<ReturnType<typeof ask>>) => {
    const { date: _, ratelimit: __, ...rest } = Object.fromEntries(headers)
    return { status, text, rest }
  }
  /** A filter that matches the hidden value, and one that matches nothing, must have the same response. */
  const pairs: [as: string, matching: string, other: string, status: number][] = [
    ['none', `GET /v1/facilities/a/areas?service=${canary}`, 'GET /v1/facilities/a/areas?service=nothing', 403],
    ['none', 'GET /v1/facilities/a/areas?open=false', 'GET /v1/facilities/a/areas?open=true', 403],
    ['none', 'GET /v1/facilities/a/areas?changed_since=2020', 'GET /v1/facilities/a/areas?changed_since=2999', 403],
    ['hidden', `GET /v1/facilities/a/areas?service=${canary}`, 'GET /v1/facilities/c/areas?service=nothing', 403],
    ['none', `GET /v1/facilities/?type=${canary}`, 'GET /v1/facilities/?type=nothing', 403],
    ['none', `GET /v1/facilities/?type=${canary}&limit=1`, 'GET /v1/facilities/?type=nothing&limit=1', 403],
    ['hidden', 'GET /v1/events?facility=a', 'GET /v1/events?facility=c', 400],
  ]
  for (const [as, matching, other, status] of pairs) {
    test(`${as}: ${matching}`, async () => {
      const first = await ask(matching, as)
      assert.deepEqual(everything(first), everything(await ask(other, as)))
      assert.equal(first.status, status)
      assert.ok(!first.text.includes(canary))
    })
  }

  test('a facility matches a type only if the partner may read it there', async () => {
    const ids = async (as: string, query: string) => {
      const { body, text } = await ask(`GET /v1/facilities/${query}`, as)
      assert.ok(Array.isArray(body), text)
      return body.map(({ id_external }: { id_external: string }) => id_external)
    }
    assert.deepEqual(await ids('all', `?type=${canary}`), ['a', 'b'])
    assert.deepEqual(await ids('mixed', `?type=${canary}`), ['b'])
    assert.deepEqual(await ids('mixed', `?type=${canary}&limit=1`), ['b'])
    assert.deepEqual(await ids('mixed', `?type=${canary}&q=a`), [])
    assert.deepEqual(await ids('hidden', `?type=${canary}`), ['b'])
  })
})
