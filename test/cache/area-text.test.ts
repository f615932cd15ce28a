import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { etagOf } from '../../src/domain/representation.ts'
import { subscriptionsIn } from '../../src/domain/room/stored-room.ts'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { seed } from '../harness/seed.ts'

const names = [
  'Plain',
  'Quote " and \' and `',
  'Back\\slash \\" \\u0041 \\n',
  'Hôtel Élysée, ça, 部屋, 🛏👩‍🚀',
  'Line\u2028and\u2029paragraph',
  '</script><!-- & &amp;',
  '{"looks":"like JSON"}',
  '12345',
  'null',
  '\u00a0 spaces \u3000inside \ufeff.',
]
const general: object[][] = [
  [],
  [{}],
  [
    { floor: 1, wing: 'Å "north"' },
    { '2': 'b', '1': 'a', z: [null, true, -0.5, 1e21] },
  ],
  [{ '': 'no name', 'a\\b"c': { deep: [{ er: '\u2028' }] } }],
]
const services: object[] = [
  { code: 'tv', label: 'Télé "plus" \\ 🛏', start: '2026-11-15T08:30:00.000Z', end: '2026-11-16T08:30:00.000Z' },
  { code: '10', '10': 'ten', '9': { '2': 2, '1': 1 }, note: '\u2028</script>' },
  { code: 'odd', 'a"b\\c': [1.5e-7, 9007199254740991, '1.0', null], '': 'empty', toString: 'x', status: 'paused' },
]
const random = fc.sample(
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .filter((text) => !/\p{Cc}/u.test(text) && text.trim() !== ''),
  { numRuns: 30, seed: 7 },
)
const areas = [...names, ...random].map((name, n) => ({
  id: n % 5 === 4 ? `é "${n}" \\` : `${n}`,
  name,
  data_general: general[n % general.length],
}))
const estate = {
  facilities: [{ id_external: 'f', name: 'F', room_services: true, areas }],
  partners: [{ id: 'p', name: 'P', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}
const pathOf = (id: string) => `/v1/areas/${encodeURIComponent(`f-${id}`)}`
const plain = { 'accept-encoding': 'identity' }

/** The list consists of the texts of its areas, and each is what JSON.stringify makes of the row. */
async function assertOneText({ ask, service }: TestAtrium): Promise<void> {
  const get = async (path: string) => ask(`GET ${path}`, { as: 'p', headers: plain })
  const list = await get('/v1/facilities/f/areas')
  const texts = []
  for (const { id_external } of list.body) {
    const one = await get(`/v1/areas/${encodeURIComponent(id_external)}`)
    assert.equal(one.headers.get('etag'), etagOf(one.text))
    texts.push(one.text)
  }
  assert.equal(list.text, `[${texts.join()}]`)
  assert.equal(list.text, JSON.stringify(list.body))
  assert.equal(list.headers.get('etag'), etagOf(list.text))
  const [first, second] = [await get('/v1/facilities/f/areas?limit=20'), await get('/v1/facilities/f/areas?q=e')]
  assert.equal(first.text, `[${texts.slice(0, 20).join()}]`)
  for (const area of second.body) assert.ok(texts.includes(JSON.stringify(area)))
  assert.deepEqual(list.body, await fromRows(service.db))
}

function fromRows(db: TestAtrium['service']['db']): Promise<object[]> {
  return db.read(async (tx) => {
    const rows = await tx.query.selectFrom('area').selectAll().orderBy('sort_key').orderBy('id_short').execute()
    return rows.map((row) => ({
      id_external: row.id_external,
      name: row.name,
      opened_at: row.opened_at,
      cycle: row.cycle,
      date_created: row.date_created,
      date_updated: row.date_updated,
      data_services: subscriptionsIn(row.json, row.services_lengths).map((json) => JSON.parse(json)),
      data_general: JSON.parse(row.data_general),
    }))
  })
}

onEachEngine('the text of an area, in the list and by itself', { estate }, (atrium) => {
  const ask = (request: string, rest = {}) => atrium().ask(request, { as: 'p', headers: plain, ...rest })
  const one = (areas[4] as { id: string }).id
  const two = (areas[5] as { id: string }).id
  const add = (id: string) => ask(`POST ${pathOf(id)}/data_services`, { body: { value: JSON.stringify(services) } })

  test('as the operator made it', () => assertOneText(atrium()))

  const changes: [string, () => Promise<unknown>][] = [
    ['rooms were opened', async () => [await ask(`POST ${pathOf(one)}`), await ask(`POST ${pathOf(two)}`)]],
    ['services were added', async () => [await add(one), await add(two), await add('0')]],
    [
      'a service was deleted',
      async () => {
        const { body } = await ask(`GET ${pathOf(one)}`)
        return ask(`DELETE ${pathOf(one)}/data_services/${body.data_services[1].id}`)
      },
    ],
    [
      'names and general data were changed, with guests in the rooms',
      () =>
        seed(atrium().service.db, {
          facilities: [
            {
              id_external: 'f',
              areas: [
                { id: one, name: 'New "name" \\' },
                { id: two, data_general: [{ '7': 'é', a: '"' }] },
                { id: 'new', name: '部屋' },
              ],
            },
          ],
        }),
    ],
    ['a room was closed', () => ask(`DELETE ${pathOf(two)}`)],
    ['a room was opened again', () => ask(`POST ${pathOf(one)}`)],
  ]
  for (const [what, change] of changes) {
    test(`after ${what}`, async () => {
      await change()
      await assertOneText(atrium())
    })
  }

  test('after guests came and went while the operator renamed their rooms', async () => {
    const { db } = atrium().service
    const ids = ['0', '1', '2']
    const guests = ids.map(async (id) => {
      for (let n = 0; n < 8; n++) {
        await add(id)
        const { body } = await ask(`GET ${pathOf(id)}`)
        await ask(`DELETE ${pathOf(id)}/data_services/${body.data_services[0].id}`)
        if (n % 3 === 0) await ask(`POST ${pathOf(id)}`)
      }
    })
    const operator = async () => {
      for (let n = 0; n < 12; n++) {
        const renamed = ids.map((id) => ({ id, ...(n % 2 ? { name: `"${n}"` } : { data_general: [{ n }] }) }))
        await seed(db, { facilities: [{ id_external: 'f', areas: renamed }] })
      }
    }
    await Promise.all([...guests, operator()])
    await assertOneText(atrium())
  })

  test('a change responds with the same text and its ETag', async () => {
    const opened = await ask(`POST ${pathOf('1')}`)
    const { text, headers } = await ask(`GET ${pathOf('1')}`)
    assert.equal(opened.text, `{"info":${JSON.stringify(opened.body.info)},"area":${text}}`)
    assert.equal(opened.headers.get('etag'), headers.get('etag'))
    const added = await add('1')
    const after = await ask(`GET ${pathOf('1')}`)
    assert.equal(added.headers.get('etag'), after.headers.get('etag'))
    assert.ok(after.text.includes(`"data_services":${JSON.stringify(added.body.services.data_services)}`))
    assert.equal((await ask(`GET ${pathOf('1')}/data_services`)).text, JSON.stringify(added.body.services))
    const sent = added.body.services.data_services.map(({ id: _id, ...rest }: { id: string }) => rest)
    const standard = { label: null, status: 'active', start: null, end: null }
    assert.deepEqual(
      sent,
      services.map((service) => ({ ...standard, ...service })),
    )
  })

  for (const name of names) {
    test(`the list of facilities is written as JSON.stringify writes it: ${JSON.stringify(name)}`, async () => {
      await ask('PATCH /v1/facilities/f/name', { body: { value: name } })
      const list = await ask('GET /v1/facilities/')
      assert.equal(list.text, JSON.stringify(list.body))
      assert.equal(list.text, (await ask('GET /v1/facilities/?limit=1000')).text)
      assert.equal(list.body[0].name, name.trim())
      assert.equal(list.headers.get('etag'), etagOf(list.text))
    })
  }
})
