import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answered, type Asked, onEachEngine } from '../harness/atrium.ts'
import { entriesAfter, lastEntry } from './audit-rows.ts'

const rooms = 20
const id = (n: number) => `f-${n % rooms}`
const estate = {
  facilities: [
    {
      id_external: 'f',
      name: 'F',
      room_services: true,
      areas: Array.from({ length: rooms + 1 }, (_, n) => ({ id: `${n}`, name: `Room ${n}` })),
    },
  ],
  partners: [
    { id: 'all', name: 'All', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] },
    { id: 'reader', name: 'Reads', grants: [{ facilities: ['f'], read: '*' }] },
    { id: 'stranger', name: 'Nothing', grants: [] },
  ],
}
const settings = { ATRIUM_LIMIT_ROOM_SUBSCRIPTIONS: '10' }
const code = (n: number, sort: string) => `${sort}-${n}`
const add = (n: number, sort: string): Asked => ({ body: { value: JSON.stringify([{ code: code(n, sort) }]) } })
const full = `f-${rooms}`

/** The concurrent requests; `gone` and `full` are refused inside the transaction, the others before it. */
const kinds: { kind: string; status: number; request(n: number): string; asked?(n: number): Asked }[] = [
  { kind: 'done', status: 200, request: (n) => `POST /v1/areas/${id(n)}/data_services`, asked: (n) => add(n, 'done') },
  { kind: 'gone', status: 404, request: (n) => `DELETE /v1/areas/${id(n)}/data_services/nothing` },
  { kind: 'full', status: 400, request: () => `POST /v1/areas/${full}/data_services`, asked: (n) => add(n, 'full') },
  {
    kind: 'named',
    status: 200,
    request: () => 'PATCH /v1/facilities/f/name',
    asked: (n) => ({ body: { value: `N ${n}` } }),
  },
  {
    kind: 'denied',
    status: 403,
    request: (n) => `POST /v1/areas/${id(n)}/data_services`,
    asked: (n) => ({ as: 'reader', ...add(n, 'denied') }),
  },
  {
    kind: 'hidden',
    status: 404,
    request: (n) => `POST /v1/areas/${id(n)}/data_services`,
    asked: (n) => ({ as: 'stranger', ...add(n, 'hidden') }),
  },
  {
    kind: 'stale',
    status: 412,
    request: (n) => `POST /v1/areas/${id(n)}/data_services`,
    asked: (n) => ({ ...add(n, 'stale'), headers: { 'if-match': '"stale"' } }),
  },
  { kind: 'bad', status: 400, request: () => 'PATCH /v1/facilities/f/name', asked: () => ({ body: { value: '' } }) },
  {
    kind: 'nothing',
    status: 200,
    request: (n) => `POST /v1/areas/${id(n)}/data_services`,
    asked: () => ({ body: { value: '[]' } }),
  },
  { kind: 'closed', status: 200, request: () => `DELETE /v1/areas/f-${rooms - 1}/` },
]

onEachEngine('many writes at once, some of them refused', { estate, settings }, (atrium) => {
  test('refused writes change nothing, all others are stored, with one entry for each', async () => {
    const { ask, service } = atrium()
    const before = await lastEntry(service.db)
    for (let n = 0; n < 10; n++) await ask(`POST /v1/areas/${full}/data_services`, { as: 'all', ...add(n, 'first') })
    const sent = Array.from({ length: 120 }, (_, n) => ({ n, ...(kinds[n % kinds.length] as (typeof kinds)[number]) }))
    const answers = await Promise.all(
      sent.map(({ n, request, asked }) => ask(request(n), { as: 'all', ...asked?.(n) })),
    )
    for (const [at, { kind, status }] of sent.entries()) {
      assert.equal(answers[at]?.status, status, `${kind}: ${answers[at]?.text}`)
    }

    const done = sent.filter(({ kind }) => kind === 'done').map(({ n }) => code(n, 'done'))
    const { body: areas } = await ask('GET /v1/facilities/f/areas', { as: 'all' })
    const codes = areas.flatMap((area: Answered['body']) => area.data_services.map((one: { code: string }) => one.code))
    const firsts = Array.from({ length: 10 }, (_, n) => code(n, 'first'))
    assert.deepEqual(codes.toSorted(), [...firsts, ...done].toSorted())

    const entries = (await entriesAfter(service.db, before)).filter(({ actor_kind }) => actor_kind === 'partner')
    const added = entries.filter(({ action }) => action === 'services.add')
    assert.deepEqual(
      added.flatMap(({ detail }) => detail.added.map((one: { code: string }) => one.code)).sort(),
      codes.toSorted(),
    )
    const named = entries.filter(({ action }) => action === 'facility.change').map(({ detail }) => detail.after)
    assert.deepEqual(named.toSorted(), sent.flatMap(({ kind, n }) => (kind === 'named' ? [`N ${n}`] : [])).sort())
    assert.equal(entries.length, added.length + named.length, 'closing what is closed and adding nothing is no change')
    const { body } = await ask('GET /v1/facilities/f', { as: 'all' })
    assert.equal(body.name, named.at(-1), 'the last entry is what it is now')
  })

  test('each entry carries the id of the request that was acknowledged', async () => {
    const { ask, service } = atrium()
    const before = await lastEntry(service.db)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        ask('PATCH /v1/facilities/f/ssid_public', { as: 'all', body: { value: n % 4 ? `S ${n}` : '' } }),
      ),
    )
    const acknowledged = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => headers.get('x-request-id'))
    const entries = await entriesAfter(service.db, before)
    assert.equal(acknowledged.length, 30)
    assert.deepEqual(entries.map(({ request_id }) => request_id).sort(), acknowledged.sort())
  })
})
