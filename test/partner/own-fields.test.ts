import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passMoments } from '../../src/storage/service-moment.ts'
import { allAfter, type Event, starts } from '../events/reading.ts'
import { type Answered, onEachEngine } from '../harness/atrium.ts'
import { oddNames } from '../harness/odd-names.ts'

const room = '/v1/areas/chu-nord-214'
const past = '2020-01-01T00:00:00.000Z'
const future = '2999-01-01T00:00:00.000Z'
const own = (name: string) => ({ [name]: { [name]: [name] } })

onEachEngine("fields of a partner's own, whatever their names", {}, (atrium) => {
  const ask = (request: string, rest = {}) => atrium().ask(request, { as: 'ward', ...rest })
  const add = (...items: object[]): Promise<Answered> =>
    ask(`POST ${room}/data_services`, { body: { value: JSON.stringify(items) } })
  const idsAt = async (at: string) => {
    const paths = [`${room}/data_services`, room, '/v1/facilities/chu-nord/areas']
    const [list, area, areas] = await Promise.all(paths.map((path) => ask(`GET ${path}?active_at=${at}`)))
    const [inList, inArea, inAreas] = [list?.body, area?.body, areas?.body[0]].map((body) =>
      body.data_services.map(({ id }: { id: string }) => id),
    )
    assert.deepEqual([inArea, inAreas], [inList, inList])
    return inList
  }

  for (const name of oddNames) {
    test(JSON.stringify(name), async () => {
      await ask(`POST ${room}`)
      const start = (await starts(atrium(), ['ward'])).get('ward') ?? ''
      const sent = [
        { code: 'over', label: 'x', end: past, ...own(name) },
        { code: 'ahead', start: future, ...own(name) },
      ]
      const added = await add(...sent)
      assert.equal(added.status, 200, added.text)
      const [over, ahead] = added.body.services.data_services
      const common = { label: null, status: 'active', start: null, end: null }
      assert.deepEqual(over, { id: over.id, ...common, ...sent[0] })
      assert.deepEqual(ahead, { id: ahead.id, ...common, ...sent[1] })
      assert.deepEqual((await ask(`GET ${room}`)).body.data_services, [over, ahead])
      assert.deepEqual(
        [await idsAt('now'), await idsAt('2019-01-01'), await idsAt(future)],
        [[], [over.id], [ahead.id]],
      )

      await atrium().service.db.write((tx) => passMoments(tx, future, 3600))
      const changes = (await allAfter(atrium(), 'ward', start)).filter(({ type }) => type !== 'area.opened')
      assert.deepEqual(changes.map(servicesOf), [
        ['services.added', [over, ahead]],
        ['service.started', [ahead]],
      ])

      const deleted = await ask(`DELETE ${room}/data_services/${over.id}`)
      assert.deepEqual([deleted.status, deleted.body.remaining_services], [200, [ahead]], deleted.text)
      assert.deepEqual((await ask(`GET ${room}/data_services`)).body, { data_services: [ahead] })
    })
  }

  test('those of a common field are not among them, and __proto__ is refused', async () => {
    await ask(`POST ${room}`)
    const text = '[{"code":"tv","__proto__":{"id":"x"}}]'
    const refused = await ask(`POST ${room}/data_services`, { body: { value: text } })
    assert.deepEqual([refused.status, refused.body.code], [400, 'key_forbidden'])
    const escaped = await ask(`POST ${room}/data_services`, {
      body: { value: '[{"c\\u006fde":"tv","\\u0069d":"mine"}]' },
    })
    const [one] = escaped.body.services.data_services
    assert.deepEqual(Object.keys(one), ['id', 'code', 'label', 'status', 'start', 'end'])
    assert.notEqual(one.id, 'mine')
    assert.equal((await ask(`DELETE ${room}/data_services/${one.id}`)).status, 200)
  })

  test('come after the common ones, except for those named by a whole number', async () => {
    await ask(`POST ${room}`)
    const { text } = await add({ z: 1, code: 'tv', '10': 1, '9': 2, a: 3 })
    assert.match(
      text,
      /\[\{"9":2,"10":1,"id":"[^"]+","code":"tv","label":null,"status":"active","start":null,"end":null,"z":1,"a":3\}\]/,
    )
    assert.ok((await ask(`GET ${room}`)).text.includes(text.slice(text.indexOf('['), -2)))
  })
})

function servicesOf({ type, data }: Event): [string, unknown] {
  return [type, type === 'services.added' ? data.services : [data.service]]
}

const general = oddNames.map((name) => ({ ...own(name), plain: 1 }))
const estate = {
  facilities: [
    {
      id_external: 'f',
      name: 'F',
      room_services: true,
      areas: general.map((one, at) => ({ id: `${at}`, name: `Room ${at}`, data_general: [one] })),
    },
  ],
  partners: [{ id: 'p', name: 'P', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}

onEachEngine("fields of the operator's own, whatever their names", { estate }, (atrium) => {
  const ask = (request: string, rest = {}) => atrium().ask(request, { as: 'p', ...rest })

  test('are returned as they were written, next to services that have them too', async () => {
    for (const [at, one] of general.entries()) {
      const body = { value: JSON.stringify([{ code: 'tv', ...one }]) }
      const { text, status } = await ask(`POST /v1/areas/f-${at}/data_services`, { body })
      assert.equal(status, 200, text)
    }
    const { body } = await ask('GET /v1/facilities/f/areas')
    assert.deepEqual(
      body.map(({ data_general }: { data_general: object[] }) => data_general),
      general.map((one) => [one]),
    )
    for (const { id_external, data_services } of body) {
      const gone = await ask(`DELETE /v1/areas/${id_external}/data_services/${data_services[0].id}`)
      assert.deepEqual([gone.status, gone.body.remaining_services], [200, []])
    }
  })
})
