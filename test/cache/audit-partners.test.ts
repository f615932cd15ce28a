import assert from 'node:assert/strict'
import { test } from 'node:test'
import { etagOf } from '../../src/domain/representation.ts'
import { type Answered, onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { contentOf, type EntryContent, entriesAfter, lastEntry } from './audit-rows.ts'

const room = '/v1/areas/chu-nord-214'
const canary = 'canary-of-a-guest'
const guest = [
  { code: 'tv', label: canary, status: canary, note: canary, [canary]: 1, start: '2026-11-15', end: '2027-01-01' },
]
const ward = (atrium: TestAtrium, request: string, rest = {}) => atrium.ask(request, { as: 'ward', ...rest })
const add = (atrium: TestAtrium) =>
  ward(atrium, `POST ${room}/data_services`, { body: { value: JSON.stringify(guest) } })
const open = (atrium: TestAtrium) => ward(atrium, `POST ${room}`)
const close = (atrium: TestAtrium) => ward(atrium, `DELETE ${room}`)
const patch = (property: string, value: unknown) => (atrium: TestAtrium) =>
  atrium.ask(`PATCH /v1/facilities/lyon-01/${property}`, { as: 'everything', body: { value } })
const inRoom = { facility: 'chu-nord', partner: null, subject: 'chu-nord-214' }
const inLyon = { facility: 'lyon-01', partner: null, subject: null }
const cycleOf = async (atrium: TestAtrium) => (await ward(atrium, `GET ${room}`)).body.cycle

interface Row {
  what: string
  prepare?(atrium: TestAtrium): Promise<unknown>
  change(atrium: TestAtrium): Promise<unknown>
  /** All entries that it adds to the audit log. */
  leaves(answer: Answered['body'], before: string | null): EntryContent[]
}

const nothing = () => []

const listBefore = [
  { id_external: 'lyon-01-101', name: 'Suite Étoile' },
  { id_external: 'lyon-01-2', name: 'Room 2' },
]
const tagOfOne = etagOf('{"areas_autocomplete_list":[{"id_external":"lyon-01-1","name":"One"}]}')

const byPartners: Row[] = [
  {
    what: 'opening a room',
    prepare: add,
    change: open,
    leaves: ({ area: { cycle } }, before) => {
      const changes = [{ key: 'cycle', before, after: cycle }]
      return [{ action: 'room.open', ...inRoom, detail: { cycle, forgotten: 1, changes } }]
    },
  },
  {
    what: 'adding services',
    prepare: open,
    change: add,
    leaves: ({ services }, cycle) => {
      const [{ id }] = services.data_services
      return [{ action: 'services.add', ...inRoom, detail: { cycle, added: [{ id, code: 'tv' }] } }]
    },
  },
  {
    what: 'adding nothing',
    change: (atrium) => ward(atrium, `POST ${room}/data_services`, { body: { value: '[]' } }),
    leaves: nothing,
  },
  {
    what: 'deleting a service',
    prepare: add,
    change: async (atrium) => {
      const [{ id }] = (await ward(atrium, `GET ${room}`)).body.data_services
      return ward(atrium, `DELETE ${room}/data_services/${id}`)
    },
    leaves: ({ id }, cycle) => [
      { action: 'services.delete', ...inRoom, detail: { cycle, deleted: { id, code: 'tv' } } },
    ],
  },
  {
    what: 'deleting a service that is not there',
    change: (atrium) => ward(atrium, `DELETE ${room}/data_services/nothing`),
    leaves: nothing,
  },
  {
    what: 'closing a room',
    prepare: async (atrium) => {
      await open(atrium)
      await add(atrium)
    },
    change: close,
    leaves: (_, cycle) => {
      const changes = [{ key: 'cycle', before: cycle, after: null }]
      return [{ action: 'room.close', ...inRoom, detail: { cycle, forgotten: 1, changes } }]
    },
  },
  { what: 'closing a closed room', prepare: close, change: close, leaves: nothing },
  {
    what: 'closing a closed room with services',
    prepare: async (atrium) => {
      await close(atrium)
      await add(atrium)
    },
    change: close,
    leaves: () => {
      const changes = [{ key: 'cycle', before: null, after: null }]
      return [{ action: 'room.close', ...inRoom, detail: { cycle: null, forgotten: 1, changes } }]
    },
  },
  {
    what: 'a repeated key',
    prepare: (atrium) => ward(atrium, `POST ${room}`, { headers: { 'idempotency-key': 'again' } }),
    change: (atrium) => ward(atrium, `POST ${room}`, { headers: { 'idempotency-key': 'again' } }),
    leaves: nothing,
  },
  {
    what: 'a name',
    change: patch('name', 'New'),
    leaves: () => [
      { action: 'facility.change', ...inLyon, detail: { property: 'name', before: 'Hôtel Bellecour', after: 'New' } },
    ],
  },
  { what: 'the same name', change: patch('name', 'New'), leaves: nothing },
  { what: 'a name that is refused', change: patch('name', ''), leaves: nothing },
  {
    what: 'an SSID',
    change: patch('ssid_public', 'S'),
    leaves: () => [
      {
        action: 'facility.change',
        ...inLyon,
        detail: { property: 'ssid_public', before: 'Bellecour Guest', after: 'S' },
      },
    ],
  },
  {
    what: 'a list',
    change: patch('areas_autocomplete_list', [{ id_external: '1', name: 'One' }]),
    leaves: () => [
      {
        action: 'autocomplete_list.replace',
        ...inLyon,
        detail: {
          before: 2,
          after: 1,
          after_tag: tagOfOne,
          added: [{ id_external: 'lyon-01-1', name: 'One' }],
          removed: listBefore,
          renamed: [],
          complete: true,
          reordered: false,
          changes: [{ key: 'areas_autocomplete_list', before: listBefore }],
        },
      },
    ],
  },
  {
    what: 'the same list',
    change: patch('areas_autocomplete_list', [{ id_external: '1', name: 'One' }]),
    leaves: nothing,
  },
]

onEachEngine('audit entries of partners', {}, (atrium) => {
  for (const { what, prepare, change, leaves } of byPartners) {
    test(what, async () => {
      const { db } = atrium().service
      await prepare?.(atrium())
      const cycle = await cycleOf(atrium())
      const before = await lastEntry(db)
      const answer = (await change(atrium())) as Answered
      const entries = await entriesAfter(db, before)
      const expected = answer.status === 200 ? leaves(answer.body, cycle) : leaves({}, cycle)
      assert.deepEqual(entries.map(contentOf), expected)
      for (const { at, actor_kind, actor, token, request_id, address } of entries) {
        assert.equal(actor_kind, 'partner')
        assert.ok(actor === 'ward' || actor === 'everything')
        assert.equal(token, atrium().tokens[actor]?.slice(4, 12))
        assert.equal(request_id, answer.headers.get('x-request-id'))
        assert.match(address ?? '', /127\.0\.0\.1$/)
        assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000)
      }
    })
  }

  test('nothing of a guest is in it but ids and codes', async () => {
    const entries = await entriesAfter(atrium().service.db, 0)
    assert.ok(entries.some(({ action }) => action === 'services.add'))
    assert.ok(!JSON.stringify(entries).includes(canary))
    assert.ok(!JSON.stringify(entries).includes('2027-01-01'), 'nor when a service ends')
  })
})
