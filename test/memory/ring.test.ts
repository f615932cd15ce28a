import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Linked, Ring } from '../../src/storage/memory/ring.ts'

interface Bead extends Linked<Bead> {
  name: number
}

const bead = (name: number): Bead => ({ name, before: undefined, after: undefined })

describe('a ring', () => {
  test('is gone round in the order in which its beads came', () => {
    const ring = new Ring<Bead>()
    assert.equal(ring.next(), undefined)
    for (const name of [1, 2, 3]) ring.add(bead(name))
    const round = Array.from({ length: 7 }, () => ring.next()?.name)
    assert.deepEqual(round, [1, 2, 3, 1, 2, 3, 1])
  })

  test('has a new bead just behind the hand, which comes to it last', () => {
    const ring = new Ring<Bead>()
    for (const name of [1, 2, 3]) ring.add(bead(name))
    ring.next()
    ring.add(bead(4))
    assert.deepEqual(
      Array.from({ length: 4 }, () => ring.next()?.name),
      [2, 3, 1, 4],
    )
  })

  test('holds nothing that was taken out', () => {
    const ring = new Ring<Bead>()
    const [one, other] = [bead(1), bead(2)] as const
    ring.add(one)
    ring.remove(one)
    assert.deepEqual([ring.size, ring.next()], [0, undefined])
    ring.add(other)
    ring.remove(one)
    assert.deepEqual([ring.size, ring.next()?.name, ring.next()?.name], [1, 2, 2])
    assert.deepEqual([one.before, one.after], [undefined, undefined])
  })

  test('is a list whose first comes next, whatever is done to it', () => {
    const steps = fc.array(fc.oneof(fc.constant('add'), fc.constant('next'), fc.nat(20)))
    const holds = fc.property(steps, (steps) => {
      const ring = new Ring<Bead>()
      const list: Bead[] = []
      for (const [at, step] of steps.entries()) {
        if (step === 'add') {
          const added = bead(at)
          ring.add(added)
          list.push(added)
        } else if (step === 'next') {
          const first = list.shift()
          assert.equal(ring.next()?.name, first?.name)
          if (first !== undefined) list.push(first)
        } else if (list.length > 0) {
          const [removed] = list.splice((step as number) % list.length, 1)
          ring.remove(removed as Bead)
        }
        assert.equal(ring.size, list.length)
      }
      assert.deepEqual(
        list.map(({ name }) => name),
        list.map(() => ring.next()?.name),
      )
    })
    fc.assert(holds)
  })
})
