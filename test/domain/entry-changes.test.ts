import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { entryChanges } from '../../src/domain/audit/entry-changes.ts'
import { type Entry, entriesJson } from '../../src/domain/autocomplete-list.ts'
import { bytesOf } from '../../src/domain/bytes.ts'

const entry = (id: string, name = `Room ${id}`): Entry => ({ id, name })
const written = (list: Entry[]) => bytesOf(entriesJson('f', list))
const changes = (before: Entry[], after: Entry[]) => entryChanges(written(before), written(after))
const view = (id: string, name = `Room ${id}`) => ({ id_external: `f-${id}`, name })
const none = { added: [], removed: [], renamed: [], complete: true }

const table = [
  { what: 'from nothing', before: [], after: [entry('1')], is: { ...none, added: [view('1')] } },
  { what: 'to nothing', before: [entry('1')], after: [], is: { ...none, removed: [view('1')] } },
  { what: 'only the order', before: [entry('1'), entry('2')], after: [entry('2'), entry('1')], is: none },
  {
    what: 'a name that begins with the other one',
    before: [entry('1', 'A'), entry('2', 'B')],
    after: [entry('1', 'A'), entry('2', 'BB')],
    is: { ...none, renamed: [{ id_external: 'f-2', old: 'B', new: 'BB' }] },
  },
  {
    what: 'an id that begins with the other one',
    before: [entry('1'), entry('2')],
    after: [entry('1'), entry('22')],
    is: { ...none, added: [view('22')], removed: [view('2')] },
  },
]

describe('what a replacement does to a list', () => {
  for (const { what, before, after, is } of table) {
    test(what, () => assert.deepEqual(changes(before, after), is))
  }

  test('a long list is named in part', () => {
    const many = Array.from({ length: 300 }, (_, n) => entry(String(n)))
    const { added, complete } = changes([], many)
    assert.deepEqual([added.length, complete], [100, false])
  })

  test('any two lists, compared the plain way', () => {
    const someName = fc.constantFrom('A', '"},{"id_external":"', '\\', 'É')
    const someList = fc.uniqueArray(fc.record({ id: fc.constantFrom('1', '2', '3', '12', '21'), name: someName }), {
      selector: ({ id }) => id,
    })
    fc.assert(
      fc.property(someList, someList, (before, after) => {
        const had = new Map(before.map(({ id, name }) => [id, name]))
        const has = new Map(after.map(({ id, name }) => [id, name]))
        assert.deepEqual(changes(before, after), {
          added: after.filter(({ id }) => !had.has(id)).map(({ id, name }) => view(id, name)),
          removed: before.filter(({ id }) => !has.has(id)).map(({ id, name }) => view(id, name)),
          renamed: after
            .filter(({ id, name }) => had.has(id) && had.get(id) !== name)
            .map(({ id, name }) => ({ id_external: `f-${id}`, old: had.get(id), new: name })),
          complete: true,
        })
      }),
    )
  })
})
