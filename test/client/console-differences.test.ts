import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, factsOf } from '../../console/src/changes/audit-entry.ts'
import { lineText, summaryOf } from '../../console/src/changes/change-texts.ts'
import { linesOf, type PropertyChange } from '../../console/src/changes/difference.ts'

type Logged = Parameters<typeof changesOf>[0]

const lines = (change: PropertyChange, language: 'en' | 'fr' = 'en') =>
  linesOf(change).map((line) => `${line.sign} ${lineText(line, change.key, language)}`)
const shown = (action: Logged['action'], detail: object | null, language: 'en' | 'fr' = 'en') =>
  summaryOf(changesOf({ action, detail, facility: 'f' }), factsOf({ action, detail }), language)

test('the console shows which permissions a change of grants removed and added, by groups of facilities', () => {
  const before = [{ facilities: ['f', 'g'], read: ['address'], write: '*', rooms: [] }]
  const after = [{ facilities: ['f'], read: ['address'], write: ['name'], rooms: [] }]
  const detail = { changes: [{ key: 'grants', before, after }] }
  assert.equal(
    shown('partner.update', detail),
    'Permissions: − Write: Public Wi-Fi, Portal, List for installers (f), − Everything (Read: Address; Write: everything) (g)',
  )
  assert.match(shown('partner.update', detail, 'fr'), /^Autorisations\u00a0: − Écriture\u00a0: Wi-Fi public/)
  const many = Array.from({ length: 53 }, (_, at) => `many-${at}`)
  const [read, none] = [['areas'], []].map((fields) => [{ facilities: many, read: fields, write: [], rooms: [] }])
  assert.equal(
    shown('partner.update', { changes: [{ key: 'grants', before: read, after: none }] }),
    'Permissions: − Read: Rooms (53 facilities)',
  )
  const split = [
    { ...before[0], facilities: ['g'] },
    { ...before[0], facilities: ['f'] },
  ]
  assert.equal(shown('partner.update', { changes: [{ key: 'grants', before, after: split }] }), 'Permissions')
})

test('a contract is compared by path, so that equal lines in other places are not lost', () => {
  const limits = (a: number, b: number) => ({ properties: { a: { maxLength: a }, b: { maxLength: b } } })
  assert.deepEqual(lines({ key: 'contract', before: limits(10, 20), after: limits(20, 10) }), [
    '− properties › a › maxLength: 10',
    '+ properties › a › maxLength: 20',
    '− properties › b › maxLength: 20',
    '+ properties › b › maxLength: 10',
  ])
  const before = { required: ['label'], properties: { note: { maxLength: 10 } } }
  const after = { properties: { note: { maxLength: 20 }, more: {}, none: { default: null } }, required: ['label', 'a'] }
  assert.deepEqual(lines({ key: 'contract', before, after }), [
    '+ required: "a"',
    '− properties › note › maxLength: 10',
    '+ properties › note › maxLength: 20',
    '+ properties › more: {}',
    '+ properties › none › default: null',
  ])
  assert.deepEqual(lines({ key: 'contract', before: { enum: ['a', 'b'] }, after: { enum: ['b', 'a'] } }), [
    '− enum: ["a","b"]',
    '+ enum: ["b","a"]',
  ])
  assert.deepEqual(lines({ key: 'contract', before: { oneOf: [{ id: 'x' }] }, after: { oneOf: [{ id: 'y' }] } }), [
    '− oneOf › 0 › id: "x"',
    '+ oneOf › 0 › id: "y"',
  ])
  assert.deepEqual(lines({ key: 'contract', before, after: null }), [
    '− required: "label"',
    '− properties › note › maxLength: 10',
  ])
})

test('values are in the language of the operator, and no line is JSON', () => {
  const address = { street: 'A', postal_code: null, city: 'Lyon', region: null, country: 'FR' }
  const moved = { ...address, street: 'B', region: 'Rhône' }
  assert.deepEqual(lines({ key: 'address', before: address, after: moved }), [
    '− Street: A',
    '+ Street: B',
    '+ Region: Rhône',
  ])
  assert.deepEqual(lines({ key: 'address', before: null, after: address }, 'fr'), [
    '+ Rue\u00a0: A',
    '+ Ville\u00a0: Lyon',
    '+ Pays\u00a0: FR',
  ])
  const tv = { id: 'tv-1', type: 'tv', model: 'X1', serial: null, status: 'online', area: '101' }
  assert.deepEqual(lines({ key: 'devices', before: [tv], after: [{ ...tv, status: 'offline' }] }, 'fr'), [
    '− tv-1 › État\u00a0: en ligne',
    '+ tv-1 › État\u00a0: hors ligne',
  ])
  assert.deepEqual(lines({ key: 'devices', before: [], after: [tv] }), ['+ tv-1 · TV · X1 · online · 101'])
  assert.equal(shown('facility.change', { property: 'name', before: 'A', after: 'B' }), 'Name: A → B')
  assert.equal(
    shown('facility.update', { changes: [{ key: 'status', before: 'active', after: 'suspended' }] }, 'fr'),
    'État\u00a0: actif → suspendu',
  )
  assert.equal(
    shown('facility.update', { changes: [{ key: 'subscribed', before: true, after: false }] }, 'fr'),
    'Abonné\u00a0: Oui → Non',
  )
  assert.match(
    shown('setting.change', { changes: [{ key: 'many_refused', before: 50, after: 70_000 }] }),
    /^Partners: refused requests: 50 → 70,000$/,
  )
})

test('every kind of entry is summarized without ids of stays', () => {
  const cycle = '01a1f5b3-8f79-7b93-b35e-d832f72e1843'
  const opening = { cycle, forgotten: 2, changes: [{ key: 'cycle', before: null, after: cycle }] }
  assert.equal(shown('room.open', opening), 'Services deleted: 2')
  assert.deepEqual(factsOf({ action: 'room.open', detail: opening }), [
    { key: 'cycle', value: cycle },
    { key: 'forgotten', value: 2 },
  ])
  const stays = { ...opening, changes: [{ key: 'cycle', before: 'earlier', after: cycle }] }
  assert.equal(shown('room.open', stays), 'Services deleted: 2')
  assert.deepEqual(changesOf({ action: 'room.open', detail: stays }), stays.changes)
  const services = { cycle, added: [{ id: cycle, code: 'tv' }] }
  assert.equal(shown('services.add', services), 'Services: + tv · …d832f72e1843')
  assert.equal(shown('services.delete', { cycle, deleted: { id: '7', code: 'tv' } }), 'Services: − tv · 7')
  const changed = { cycle, changed: [{ id: '7', code: 'tv', keys: ['end', '#abc', '#def'] }] }
  assert.equal(shown('services.change', changed), 'Service tv: Changed: End, 2 fields of the partner')
  assert.equal(
    shown('room.move', { cycle, from: 'f-1', to: 'f-2', moved: 1, forgotten: 0 }),
    'Room: f-1 → f-2, Services moved: 1',
  )
  const entry = { id_external: 'f-1', name: 'One' }
  const list = {
    before: 1,
    after: 1,
    added: [entry],
    removed: [],
    renamed: [{ id_external: 'f-2', old: 'A', new: 'B' }],
  }
  assert.equal(
    shown('autocomplete_list.replace', { ...list, complete: true }),
    'List for installers: + f-1 · One, − f-2 › Name: A, + f-2 › Name: B',
  )
  assert.match(shown('autocomplete_list.replace', { ...list, complete: false }), / …$/)
  const made = ['name', 'expires_at'].map((key, at) => ({ key, before: null, after: at === 0 ? 'ci' : null }))
  assert.equal(shown('token.create', { changes: made }), 'Name: ci')
  const rooms = [
    { id: '1', before: { name: 'A' }, after: { name: 'B' } },
    { id: '2', before: null, after: { name: 'Two', data_general: [{ floor: 1 }] } },
  ]
  assert.equal(
    shown('facility.update', { areas_created: 1, areas_updated: 1, area_changes: rooms }),
    'Rooms: − 1 › Name: A, + 1 › Name: B, + 2 · Two · 1, Rooms added: 1, Rooms changed: 1',
  )
  const naming = [{ partner: 'acme', place: 0, read: ['areas'], write: [], rooms: [] }]
  assert.equal(
    shown('facility.remove', { areas: 0, changes: [{ key: 'grants', before: naming, after: null }] }),
    'Permissions acme: − Everything (Read: Rooms) (f)',
  )
  assert.equal(shown('webhook.disable', { changes: [], reason: 'gone' }, 'fr'), 'Motif\u00a0: réponse 410')
  assert.equal(shown('partner.update', { changes: [{ key: 'contract' }], undoes: 7 }), 'Contract')
  assert.deepEqual(changesOf({ action: 'services.add', detail: null }), [])
})
