import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answered, onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { contentOf, type EntryContent, entriesAfter, lastEntry } from './audit-rows.ts'

const canary = 'canary-of-a-guest'
const area = (short: string) => `/v1/areas/chu-nord-${short}`
const services = `${area('214')}/data_services`
const bulk = 'POST /v1/facilities/chu-nord/areas/bulk'
const neverWas = '0192f0c1-2d3e-7abc-8def-0123456789ab'

// biome-ignore lint/suspicious/noExplicitAny: areas and services of every shape
type Json = any

interface Row {
  what: string
  /** `guest` is in the room 214 with a service; 215 and 216 are closed and empty. */
  change(ask: (request: string, body: object) => Promise<Answered>, guest: Json): Promise<Answered>
  /** All entries that it adds to the audit log. */
  leaves(body: Json, guest: Json): EntryContent[]
}

const entry = (action: string, detail: object, short = '214'): EntryContent => {
  return { action, facility: 'chu-nord', partner: null, subject: `chu-nord-${short}`, detail }
}
const nothing = () => []
const idOf = ({ id, code }: Json) => ({ id, code })
/** The name of a field that the partner defined. */
const hashed = '#'
const told = { label: canary, [canary]: canary }

function moved({ cycle }: Json): EntryContent {
  const [from, to] = ['chu-nord-214', 'chu-nord-215']
  const changes = [
    { key: 'room', before: from, after: to },
    { key: 'cycle', before: cycle, after: null },
  ]
  return entry('room.move', { cycle, from, to, moved: 1, forgotten: 0, changes })
}

const rows: Row[] = [
  {
    what: 'a service is changed',
    change: (ask, { data_services: [{ id }] }) => ask(`PATCH ${services}/${id}`, { end: '2999-01-01', ...told }),
    leaves: (_, { cycle, data_services: [service] }) => {
      return [entry('services.change', { cycle, changed: [{ ...idOf(service), keys: ['end', hashed] }] })]
    },
  },
  {
    what: 'a change that changes nothing',
    change: (ask, { data_services: [{ id, label }] }) => ask(`PATCH ${services}/${id}`, { label }),
    leaves: nothing,
  },
  {
    what: 'services are replaced',
    change: (ask) => ask(`PUT ${services}`, { data_services: [{ code: 'wifi', ...told }] }),
    leaves: ({ services: { data_services: added } }, { cycle, data_services: removed }) => {
      return [entry('services.replace', { cycle, removed: removed.map(idOf), changed: [], added: added.map(idOf) })]
    },
  },
  {
    what: 'services are replaced by themselves',
    change: (ask, { data_services }) => ask(`PUT ${services}`, { data_services }),
    leaves: nothing,
  },
  {
    what: 'a guest is moved',
    change: (ask) => ask(`POST ${area('214')}/move`, { to: 'chu-nord-215' }),
    leaves: (_, guest) => [moved(guest)],
  },
  {
    what: 'a guest stays, because the other room does not exist',
    change: (ask) => ask(`POST ${area('214')}/move`, { to: 'chu-nord-999' }),
    leaves: nothing,
  },
  ...['each', 'all'].map(
    (mode): Row => ({
      what: `many rooms are changed, ${mode}`,
      change: (ask) => {
        const operations = [
          { op: 'move', area: 'chu-nord-214', to: 'chu-nord-215' },
          { op: 'add_services', area: 'chu-nord-216', services: [{ code: 'wifi', ...told }] },
        ]
        return ask(bulk, { mode, operations })
      },
      leaves: ({ results }, guest) => {
        const added = results[1].area.data_services.map(idOf)
        return [moved(guest), entry('services.add', { cycle: null, added }, '216')]
      },
    }),
  ),
  {
    what: 'many rooms stay as they are, because one change fails',
    change: (ask) => {
      const operations = [
        { op: 'move', area: 'chu-nord-214', to: 'chu-nord-215' },
        { op: 'close', area: 'chu-nord-216', cycle: neverWas },
      ]
      return ask(bulk, { mode: 'all', operations })
    },
    leaves: nothing,
  },
]

onEachEngine('audit entries of changes to rooms', {}, (atrium) => {
  for (const { what, change, leaves } of rows) {
    test(what, async () => {
      const { db } = atrium().service
      const guest = await guestIn(atrium())
      const before = await lastEntry(db)
      const { body, headers } = await change(
        (request, sent) => atrium().ask(request, { as: 'ward', body: sent }),
        guest,
      )
      const entries = await entriesAfter(db, before)
      assert.deepEqual(withoutHashes(entries.map(contentOf)).sort(bySubject), leaves(body, guest))
      for (const { request_id, actor } of entries) {
        assert.deepEqual([request_id, actor], [headers.get('x-request-id'), 'ward'])
      }
      assert.ok(!JSON.stringify(entries).includes(canary), 'they hold data of the guest')
    })
  }
})

async function guestIn(atrium: TestAtrium): Promise<Json> {
  for (const short of ['215', '216']) await atrium.ask(`DELETE ${area(short)}`, { as: 'ward' })
  await atrium.ask(`POST ${area('214')}`, { as: 'ward' })
  const value = JSON.stringify([{ code: 'tv', ...told, [canary]: 'other' }])
  await atrium.ask(`POST ${services}`, { as: 'ward', body: { value } })
  return (await atrium.ask(`GET ${area('214')}`, { as: 'ward' })).body
}

function withoutHashes(entries: EntryContent[]): EntryContent[] {
  return JSON.parse(JSON.stringify(entries).replace(/"#[\w-]{12}"/g, JSON.stringify(hashed)))
}

/** With the mode `each`, operations on different rooms may be carried out in any order. */
function bySubject(one: EntryContent, other: EntryContent): number {
  return (one.subject ?? '') < (other.subject ?? '') ? -1 : 1
}
