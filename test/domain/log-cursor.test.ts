import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogCursors } from '../../src/domain/log-cursor.ts'

const at = '2026-11-15T08:31:04.210Z'
const cursors = new LogCursors('secret', 'acme', 'requests')

test('a cursor is read back by its partner and list, and by no other', () => {
  for (const seq of [0, 1, 2 ** 32, 2 ** 48 - 1]) {
    const cursor = cursors.write({ at, seq })
    assert.match(cursor, /^[\w-]{22}$/)
    assert.deepEqual(cursors.read(cursor), { at, seq })
    const others = [
      new LogCursors('other', 'acme', 'requests'),
      new LogCursors('secret', 'vesta', 'requests'),
      new LogCursors('secret', 'acme', 'requests of 4xx'),
    ]
    for (const other of others) assert.equal(other.read(cursor), undefined)
  }
})

test('other text is no cursor', () => {
  for (const text of ['', 'x', 'A'.repeat(22), 'A'.repeat(23), '%'.repeat(22)]) {
    assert.equal(cursors.read(text), undefined, text)
  }
})

test('neighboring positions have cursors that share nothing', () => {
  const [one, next] = [1, 2].map((seq) => cursors.write({ at, seq }))
  const same = Array.from(one ?? '').filter((letter, index) => letter === next?.[index])
  assert.ok(same.length < 11)
})
