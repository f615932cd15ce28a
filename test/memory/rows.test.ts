import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { column, Rows } from '../../src/storage/memory/rows.ts'

const all = Object.values(column)

describe('rows of numbers', () => {
  test('are told by numbers from 1 on, however many there are, and hold what was written', () => {
    const rows = new Rows()
    const taken = Array.from({ length: 5000 }, () => {
      const row = rows.take()
      for (const of of all) rows.set(row, of, row * 100 + of)
      return row
    })
    assert.deepEqual([taken[0], new Set(taken).size], [1, 5000])
    for (const row of taken) for (const of of all) assert.equal(rows.get(row, of), row * 100 + of)
  })

  test('hold what a body of 2 GB less one byte and the masks of slots need', () => {
    const rows = new Rows()
    const row = rows.take()
    for (const value of [2 ** 31 - 1, -1, -2]) {
      rows.set(row, column.length, value)
      assert.equal(rows.get(row, column.length), value)
    }
  })

  test('are given out again once they came back, to another tenant', () => {
    const rows = new Rows()
    const [one, two] = [rows.take(), rows.take()]
    const tenant = rows.get(one, column.tenant)
    rows.giveBack(one)
    rows.giveBack(two)
    assert.notEqual(rows.get(one, column.tenant), tenant)
    assert.deepEqual([rows.take(), rows.take(), rows.take()], [two, one, 3])
    assert.notEqual(rows.get(one, column.tenant), tenant)
  })
})
