import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answered, onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'
import { seed } from '../harness/seed.ts'
import { allAfter, type Event, starts, summaryOf } from './reading.ts'

const partners = ['everything', 'hotelier', 'ward', 'bare', 'stranger']
const room = 'chu-nord-214'

interface World {
  atrium: TestAtrium
  /** An operator's key. */
  key: string
}

type Summary = ReturnType<typeof summaryOf>

interface Row {
  what: string
  change(world: World): Promise<Answered['body']>
  /** The event as other partners see it. The one that caused it sees `origin: 'self'`. */
  events(answer: Answered['body'], cycle: string | null): Omit<Summary, 'origin'>[]
  seenBy: string[]
  by?: string
}

const partner =
  (as: string, request: string, value?: unknown): Row['change'] =>
  async ({ atrium }) => {
    const answer = await atrium.ask(request, { as, ...(value !== undefined && { body: { value } }) })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
const operator =
  (request: string, body?: unknown): Row['change'] =>
  async ({ atrium, key }) => {
    const answer = await atrium.ask(request, { as: key, ...(body !== undefined && { body }) })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
const apply = (...facilities: object[]) => ({
  change: ({ atrium }: World) => seed(atrium.service.db, { facilities }),
})
const inRoom = (type: string, data: object) => ({ type, facility: 'chu-nord', area: room, data })
const updated = (facility: string, property: string, old: unknown, now: unknown) => {
  return { type: 'facility.updated', facility, data: { property, old, new: now } }
}
const entry = (id: string, name: string) => ({ id_external: `lyon-01-${id}`, name })

const rows: Row[] = [
  {
    what: 'a name',
    by: 'everything',
    change: partner('everything', 'PATCH /v1/facilities/lyon-01/name', 'Bellecour'),
    events: () => [updated('lyon-01', 'name', 'Hôtel Bellecour', 'Bellecour')],
    seenBy: ['everything', 'hotelier', 'bare'],
  },
  {
    what: 'an SSID',
    by: 'everything',
    change: partner('everything', 'PATCH /v1/facilities/lyon-01/ssid_public', 'Guests'),
    events: () => [updated('lyon-01', 'ssid_public', 'Bellecour Guest', 'Guests')],
    seenBy: ['everything', 'hotelier'],
  },
  {
    what: 'a portal',
    by: 'everything',
    change: partner('everything', 'PATCH /v1/facilities/lyon-01/subscription_url', 'https://x.example/'),
    events: () => [updated('lyon-01', 'subscription_url', 'https://portal.example/lyon-01', 'https://x.example/')],
    seenBy: ['everything'],
  },
  {
    what: 'a value that is there already',
    change: partner('everything', 'PATCH /v1/facilities/lyon-01/name', 'Bellecour'),
    events: () => [],
    seenBy: [],
  },
  {
    what: 'a list',
    by: 'everything',
    change: partner('everything', 'PATCH /v1/facilities/lyon-01/areas_autocomplete_list', [
      { id_external: '2', name: 'Two' },
      { id_external: '3', name: 'Three' },
    ]),
    events: () => [
      {
        type: 'autocomplete_list.replaced',
        facility: 'lyon-01',
        data: {
          added: [entry('3', 'Three')],
          removed: [entry('101', 'Suite Étoile')],
          renamed: [{ id_external: 'lyon-01-2', old: 'Room 2', new: 'Two' }],
          complete: true,
        },
      },
    ],
    seenBy: ['everything'],
  },
  {
    what: 'a room is opened',
    by: 'ward',
    change: partner('ward', `POST /v1/areas/${room}/`),
    events: ({ area }) => [inRoom('area.opened', { cycle: area.cycle })],
    seenBy: ['everything', 'ward'],
  },
  {
    what: 'services are added',
    by: 'ward',
    change: partner('ward', `POST /v1/areas/${room}/data_services`, '[{"code":"tv"},{"code":"wifi","n":1}]'),
    events: ({ services: { data_services: services } }, cycle) => [
      inRoom('services.added', { cycle, ids: services.map(({ id }: { id: string }) => id), services }),
    ],
    seenBy: ['everything', 'ward'],
  },
  {
    what: 'a service is deleted',
    by: 'ward',
    change: async (world) => {
      const { body } = await world.atrium.ask(`GET /v1/areas/${room}/`, { as: 'ward' })
      return partner('ward', `DELETE /v1/areas/${room}/data_services/${body.data_services[0].id}`)(world)
    },
    events: ({ id }, cycle) => [inRoom('service.deleted', { cycle, id })],
    seenBy: ['everything', 'ward'],
  },
  {
    what: 'a room is closed by an operator',
    change: operator(`POST /cms/v1/areas/${room}/close`),
    events: (_, cycle) => [inRoom('area.closed', { cycle })],
    seenBy: ['everything', 'ward'],
  },
  {
    what: 'an operator changes a facility',
    change: operator('PATCH /cms/v1/facilities/lyon-01', {
      name: 'Bellecour 2',
      type: 'office',
      timezone: 'UTC',
      devices: [{ id: 'tv', type: 'tv', area: '2' }],
    }),
    events: () => [
      updated('lyon-01', 'name', 'Bellecour', 'Bellecour 2'),
      updated('lyon-01', 'type', 'hotel', 'office'),
      updated('lyon-01', 'devices', oldDevices, newDevices),
    ],
    seenBy: ['everything'],
  },
  {
    what: 'a file is applied that changes an address, areas and a list',
    ...apply({
      id_external: 'nice-02',
      address: { city: 'Nice', country: 'FR' },
      areas: [
        { id: 'A-1', name: 'Flat 1' },
        { id: 'A-2', name: 'Flat 2' },
      ],
      areas_autocomplete_list: [{ id: 'A-1', name: 'Flat 1' }],
    }),
    events: () => [
      updated('nice-02', 'address', null, {
        street: null,
        postal_code: null,
        city: 'Nice',
        region: null,
        country: 'FR',
      }),
      {
        type: 'autocomplete_list.replaced',
        facility: 'nice-02',
        data: { added: [{ id_external: 'nice-02-A-1', name: 'Flat 1' }], removed: [], renamed: [], complete: true },
      },
      { type: 'areas.changed', facility: 'nice-02', data: { added: 1, updated: 1, removed: 0 } },
    ],
    seenBy: ['everything'],
  },
  {
    what: 'a facility is made',
    ...apply({ id_external: 'paris-03', name: 'New' }),
    events: () => [{ type: 'facility.created', facility: 'paris-03', data: {} }],
    seenBy: ['everything'],
  },
  {
    what: 'a facility is removed',
    change: operator('DELETE /cms/v1/facilities/paris-03'),
    events: () => [{ type: 'facility.removed', facility: 'paris-03', data: {} }],
    seenBy: ['everything'],
  },
]

const device = (id: string, type: string, model: string | null, area: string | null, status: string | null = null) => {
  return { id, type, model, serial: model && '0001', status, area_id_external: area }
}
const oldDevices = [device('tv-101', 'tv', 'X1', 'lyon-01-101', 'online'), device('ap-1', 'access_point', null, null)]
const newDevices = [device('tv', 'tv', null, 'lyon-01-2')]

onEachEngine('events', {}, (atrium) => {
  for (const { what, change, events, seenBy, by } of rows) {
    test(`${what}: is an event for partners that may read it, and for no others`, async () => {
      const { key } = await addOperator(atrium(), 'admin', what.replaceAll(' ', '-'))
      const from = await starts(atrium(), partners)
      const { cycle } = (await atrium().ask(`GET /v1/areas/${room}/`, { as: 'ward' })).body
      const answer = await change({ atrium: atrium(), key })
      const expected = events(answer, cycle)
      for (const as of partners) {
        const seen = (await allAfter(atrium(), as, from.get(as) ?? '')).map(summaryOf)
        const origin = as === by ? 'self' : 'other'
        const wanted = seenBy.includes(as) ? expected.map((event) => ({ ...event, origin })) : mayName(as, expected)
        assert.deepEqual(seen, wanted, as)
        const others = await allAfter(atrium(), as, from.get(as) ?? '', '&own=false')
        assert.deepEqual(others.map(summaryOf), as === by ? [] : wanted, `${as}, without its own`)
      }
    })
  }

  /** Of several changes in one request each partner sees those that it may read. */
  function mayName(as: string, expected: Omit<Summary, 'origin'>[]): Summary[] {
    const fields: Record<string, string[]> = { hotelier: ['name', 'address', 'areas'], bare: ['name'] }
    const places: Record<string, string[]> = { hotelier: ['lyon-01', 'nice-02'], bare: ['lyon-01', 'chu-nord'] }
    const mayRead: Record<string, string[]> = { 'hotelier nice-02': ['areas'] }
    return expected.flatMap((event) => {
      const field = event.type === 'areas.changed' ? 'areas' : event.data.property
      const readable = mayRead[`${as} ${event.facility}`] ?? fields[as] ?? []
      const isSeen = expected.length > 1 && places[as]?.includes(event.facility) && readable.includes(field)
      return isSeen ? [{ ...event, origin: 'other' as const }] : []
    })
  }

  test('pages follow one another without a gap, whatever their size', async () => {
    const from = (await starts(atrium(), ['everything'])).get('everything') ?? ''
    for (let n = 0; n < 5; n++) {
      const body = { name: `Name ${n}`, ssid_public: `S ${n}` }
      await seed(atrium().service.db, { facilities: [{ id_external: 'lyon-01', ...body }] })
    }
    const whole = await allAfter(atrium(), 'everything', from)
    assert.equal(whole.length, 10)
    for (const limit of [1, 2, 3, 7]) {
      assert.deepEqual(await allAfter(atrium(), 'everything', from, `&limit=${limit}`), whole, `limit ${limit}`)
    }
    for (const [index, { id }] of whole.entries()) {
      assert.deepEqual(await allAfter(atrium(), 'everything', id), whole.slice(index + 1), 'after an id')
    }
    assert.equal(new Set(whole.map(({ id }: Event) => id)).size, 10)
  })
})
