import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../src/domain/identifier.ts'
import { type Answered, startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'
import { entriesAfter } from './audit-rows.ts'
import { longAgo, makeFirstVersion, type OldArea, type OldRows, type OldService, oldView } from './first-version.ts'

const service = (code: string, more: Partial<OldService> = {}): OldService => ({
  id: newId(),
  code,
  label: null,
  status: 'active',
  start_at: null,
  end_at: null,
  extra: {},
  ...more,
})
const area = (short: string, more: Partial<OldArea> = {}): OldArea => ({
  facility: 1,
  facilityName: 'f',
  short,
  name: `Room ${short}`,
  opened_at: null,
  cycle: null,
  data_general: [],
  services: [],
  ...more,
})

const guest = area('1', {
  name: 'Suite « Étoile » "A" \\ 🛏',
  opened_at: longAgo,
  cycle: newId(),
  data_general: [{ floor: 1, '2': 'two', deep: { a: [1, null, 'é'] } }],
  services: [
    service('tv', {
      label: 'Télé "plus"',
      start_at: longAgo,
      end_at: '2026-02-02T00:00:00.000Z',
      extra: { channels: 120 },
    }),
    service('odd', {
      status: 'paused',
      extra: { '10': 'ten', '9': 'nine', z: { '1': 1 }, 'a"b\\': '\u2028', n: 1.5e-7 },
    }),
    service('\u{1f6cf}', { label: '' }),
  ],
})
const closed = area('10', { services: [service('laid out')] })
/** More areas and services than a migration handles in one batch. */
const many = Array.from({ length: 520 }, (_, n) =>
  area(`${n}`, { facility: 2, facilityName: 'big', services: [service(`a ${n}`), service(`b ${n}`)] }),
)
const entries = [
  { id: '1', name: 'Suite "A" \\ é 🛏' },
  { id: 'f-1', name: 'Looks like a full id' },
]
const body = '{"value":"[{\\"code\\":\\"tv\\"}]"}'
const etagOf = (text: string) => `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
/** The room when the idempotency key was used; it has changed since. */
const answered = JSON.stringify(oldView({ ...guest, services: [service('longAgo', { extra: { '7': 7, note: 'x' } })] }))
const keyed = { answer: answered, etag: etagOf(answered), ended: 0 }
const rows: OldRows = {
  facilities: [
    { id: 1, id_external: 'f', name: 'F', room_services: 1 },
    { id: 2, id_external: 'big', name: 'Big', room_services: 1 },
  ],
  areas: [guest, closed, area('2'), ...many],
  lists: [{ facility: 1, entries }],
  keys: [
    { area: guest, path: 'addRoomServices f-1', key: 'added', body_hash: sha256(body), ...keyed },
    { area: guest, path: 'openRoom f-1', key: 'opened', body_hash: '', ...keyed },
    { area: guest, path: 'openRoom f-1', key: 'ended', body_hash: '', answer: '', etag: '', ended: 1 },
  ],
  partners: ['p'],
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

for (const engine of engines) {
  describe(`a database of the first version (${engine})`, () => {
    let database: FreshDatabase
    let atrium: TestAtrium
    before(async () => {
      database = await freshDatabase(engine)
      await makeFirstVersion(database.url, rows)
      atrium = await startAtrium(engine, { database, estate: { partners: [{ id: 'p' }] } })
    })
    after(async () => {
      await atrium?.stop()
      await database.drop()
    })
    const ask = (request: string, rest = {}) => atrium.ask(request, { as: 'p', ...rest })
    const answers = (answer: Answered, text: string, etag = etagOf(text)) =>
      assert.deepEqual([answer.status, answer.text, plain(answer)], [200, text, etag])

    test('returns each area as before, with the same ETag', async () => {
      for (const one of [guest, closed, ...many.slice(0, 3), ...many.slice(-3)]) {
        const path = `/v1/areas/${one.facilityName}-${one.short}`
        const view = oldView(one)
        answers(await ask(`GET ${path}`), JSON.stringify(view))
        const services = JSON.stringify({ data_services: view.data_services })
        answers(await ask(`GET ${path}/data_services`), services)
      }
    })

    test('returns the areas of a facility as before, in the same order', async () => {
      answers(await ask('GET /v1/facilities/f/areas'), JSON.stringify([guest, area('2'), closed].map(oldView)))
      answers(await ask('GET /v1/facilities/big/areas'), JSON.stringify(many.map(oldView)))
      const page = await ask('GET /v1/facilities/f/areas?limit=2')
      assert.equal(page.text, JSON.stringify([guest, area('2')].map(oldView)))
    })

    test('returns lists as before, with full ids', async () => {
      const views = entries.map(({ id, name }) => ({ id_external: `f-${id}`, name }))
      answers(
        await ask('GET /v1/facilities/f/areas_autocomplete_list'),
        JSON.stringify({ areas_autocomplete_list: views }),
      )
      answers(await ask('GET /v1/facilities/big/areas_autocomplete_list'), '{"areas_autocomplete_list":[]}')
      assert.equal((await ask('GET /v1/facilities/f')).body.areas_autocomplete_list_count, 2)
    })

    test('replays a key that was used before', async () => {
      const view = JSON.parse(answered)
      const added = await ask('POST /v1/areas/f-1/data_services', { body, headers: { 'idempotency-key': 'added' } })
      const services = { data_services: view.data_services }
      answers(added, JSON.stringify({ info: 'Services were added to room f-1.', services }), keyed.etag)
      const opened = await ask('POST /v1/areas/f-1', { headers: { 'idempotency-key': 'opened' } })
      answers(opened, JSON.stringify({ info: 'Room f-1 is open.', area: view }), keyed.etag)
      for (const { headers } of [added, opened]) assert.equal(headers.get('idempotency-replayed'), 'true')
      const ended = await ask('POST /v1/areas/f-1', { headers: { 'idempotency-key': 'ended' } })
      assert.deepEqual([ended.status, ended.body.code], [409, 'cycle_ended'])
      const other = { body: '{"value":"[]"}', headers: { 'idempotency-key': 'added' } }
      assert.equal((await ask('POST /v1/areas/f-1/data_services', other)).status, 422)
      answers(await ask('GET /v1/areas/f-1'), JSON.stringify(oldView(guest)))
    })

    test('begins with an empty audit log, which records later changes', async () => {
      const made = (await entriesAfter(atrium.service.db, 0)).map(({ action }) => action)
      assert.deepEqual(made, ['token.create'])
      const added = await ask('POST /v1/areas/f-1/data_services', { body })
      const codes = added.body.services.data_services.map(({ code }: { code: string }) => code)
      assert.deepEqual(codes, ['tv', 'odd', '\u{1f6cf}', 'tv'])
      const [first] = added.body.services.data_services
      assert.equal((await ask(`DELETE /v1/areas/f-1/data_services/${first.id}`)).body.remaining_services.length, 3)
    })
  })
}

/** Returns the ETag of the unencoded response. */
function plain({ headers }: Answered): string | undefined {
  return headers.get('etag')?.replace(/\.(?:gzip|br|zstd)"$/, '"')
}
