import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf } from '../../console/src/pages/audit/audit-entry.ts'
import { differenceOf, summaryOf } from '../../console/src/pages/audit/difference.ts'

const labelled = (label: string, text: string) => `${label}: ${text}`

const names = {
  kinds: { read: 'Read', write: 'Write', rooms: 'Room actions' },
  fields: { address: 'Address', name: 'Name' },
  all: 'All',
  everywhere: 'All facilities',
}

test('the console shows which permissions on which facility were added and removed', () => {
  const before = [{ facilities: ['f', 'g'], read: ['address'], write: '*', rooms: [] }]
  const after = [{ facilities: ['f'], read: ['address'], write: ['name'], rooms: [] }]
  const change = { key: 'grants', before, after }
  assert.deepEqual(differenceOf(change, names), {
    removed: ['f · Write · All', 'g', 'g · Read · Address', 'g · Write · All'],
    added: ['f · Write · Name'],
  })
  assert.equal(summaryOf([change], names, labelled), 'grants: − f · Write · All, − g, − g · Read · Address …')
  const french = (label: string, text: string) => `${label} : ${text}`
  assert.match(summaryOf([change], names, french), /^grants : −/)
})

test('a changed contract is shown by its changed lines', () => {
  const before = { required: ['label'], properties: { note: { maxLength: 10 } } }
  const after = { required: ['label'], properties: { note: { maxLength: 20 }, more: {} } }
  const change = { key: 'contract', before, after }
  assert.deepEqual(differenceOf(change, names), {
    removed: ['"maxLength": 10'],
    added: ['"maxLength": 20', '"more": {}'],
  })
  assert.deepEqual(differenceOf({ key: 'contract', before, after: null }, names)?.added, [])
})

test('no entry that changed something is shown as one that changed nothing', () => {
  const entry = { id_external: 'f-1', name: 'One' }
  const shown = (action: Parameters<typeof changesOf>[0]['action'], detail: object) => [
    summaryOf(changesOf({ action, detail }), names, labelled),
  ]
  assert.deepEqual(shown('facility.change', { property: 'name', before: 'A', after: 'B' }), ['name: A → B'])
  const list = {
    before: 1,
    after: 1,
    added: [entry],
    removed: [],
    renamed: [{ id_external: 'f-2', old: 'A', new: 'B' }],
  }
  assert.deepEqual(shown('autocomplete_list.replace', { ...list, complete: true }), [
    'areas_autocomplete_list: − f-2 · A, + f-1 · One, + f-2 · B',
  ])
  assert.deepEqual(shown('services.add', { cycle: null, added: [{ id: '7', code: 'tv' }] }), [
    'services: + {"id":"7","code":"tv"}',
  ])
  const made = ['name', 'expires_at'].map((key, at) => ({ key, before: null, after: at === 0 ? 'ci' : null }))
  assert.deepEqual(shown('token.create', { changes: made }), ['name: ci'])
  const room = { id: '1', before: { name: 'A' }, after: { name: 'B' } }
  assert.deepEqual(shown('facility.update', { area_changes: [room] }), ['1: {"name":"A"} → {"name":"B"}'])
  assert.deepEqual(changesOf({ action: 'services.add', detail: null }), [])
})
