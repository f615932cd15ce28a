import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Ring } from '../../src/storage/memory/ring.ts'
import { Rows } from '../../src/storage/memory/rows.ts'

function ringOf(count: number) {
  const rows = new Rows()
  const ring = new Ring(rows)
  const beads = Array.from({ length: count }, () => rows.take())
  for (const bead of beads) ring.add(bead)
  return { rows, ring, beads, next: (times: number) => Array.from({ length: times }, () => ring.next()) }
}

describe('a ring', () => {
  test('is gone round in the order in which its beads came', () => {
    assert.equal(ringOf(0).ring.next(), 0)
    const { beads, next } = ringOf(3)
    const [one] = beads
    assert.deepEqual(next(7), [...beads, ...beads, one])
  })

  test('has a new bead just behind the hand, which comes to it last', () => {
    const { rows, ring, beads, next } = ringOf(3)
    const [one, two, three] = beads
    ring.next()
    const four = rows.take()
    ring.add(four)
    assert.deepEqual(next(4), [two, three, one, four])
  })

  test('is empty when its last bead was taken out, and can be filled again', () => {
    const { rows, ring, beads, next } = ringOf(1)
    ring.remove(beads[0] as number)
    assert.deepEqual([ring.size, ring.next()], [0, 0])
    const other = rows.take()
    ring.add(other)
    assert.deepEqual([ring.size, ...next(2)], [1, other, other])
  })

  test('is a list whose first comes next, whatever is done to it', () => {
    const steps = fc.array(fc.oneof(fc.constant('add'), fc.constant('next'), fc.nat(20)))
    const holds = fc.property(steps, (steps) => {
      const { rows, ring } = ringOf(0)
      const list: number[] = []
      for (const step of steps) {
        if (step === 'add') {
          const added = rows.take()
          ring.add(added)
          list.push(added)
        } else if (step === 'next') {
          const first = list.shift()
          assert.equal(ring.next(), first ?? 0)
          if (first !== undefined) list.push(first)
        } else if (list.length > 0) {
          const [removed] = list.splice((step as number) % list.length, 1) as [number]
          ring.remove(removed)
          rows.giveBack(removed)
        }
        assert.equal(ring.size, list.length)
      }
      assert.deepEqual(
        list,
        list.map(() => ring.next()),
      )
    })
    fc.assert(holds)
  })
})
