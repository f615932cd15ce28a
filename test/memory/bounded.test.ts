import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Bounded, type Weighed } from '../../src/storage/memory/bounded.ts'

interface Thing extends Weighed {
  name: string
}

const thing = (name: string, bytes = 10): Thing => ({ name, bytes, used: false })

function bounded(limitBytes: number) {
  const gone: string[] = []
  const kept = new Bounded<Thing>(limitBytes, ({ name }) => gone.push(name))
  return { kept, gone }
}

describe('a map with a budget of bytes', () => {
  test('holds what fits, and counts it', () => {
    const { kept, gone } = bounded(30)
    for (const name of ['a', 'b', 'c']) kept.set(name, thing(name))
    assert.deepEqual([kept.size, kept.bytes, gone], [3, 30, []])
    assert.equal(kept.get('b')?.name, 'b')
    assert.equal(kept.get('z'), undefined)
  })

  test('a value in the place of another counts once, and the other is told', () => {
    const { kept, gone } = bounded(100)
    kept.set('a', thing('old', 40))
    kept.set('a', thing('new', 10))
    assert.deepEqual([kept.size, kept.bytes, gone], [1, 10, ['old']])
  })

  test('what was not used since the hand last came by goes first', () => {
    const { kept, gone } = bounded(30)
    for (const name of ['a', 'b', 'c']) kept.set(name, thing(name))
    kept.set('d', thing('d'))
    assert.deepEqual(gone, ['a'])
    kept.get('b')
    for (const name of ['e', 'f']) kept.set(name, thing(name))
    assert.deepEqual(gone, ['a', 'c', 'd'])
  })

  test('who is new gets a place; of those who had to go one in four, and the others are told at once', () => {
    const { kept, gone } = bounded(20)
    for (const name of ['a', 'b', 'c', 'd']) kept.set(name, thing(name))
    assert.deepEqual([gone, kept.bytes], [['a', 'b'], 20])
    for (const name of ['a', 'b', 'b', 'b', 'b']) kept.set(name, thing(name))
    assert.deepEqual([gone, kept.bytes], [['a', 'b', 'c', 'b', 'b', 'b', 'd'], 20])
  })

  test('of what is asked for over and over, most of what fits is found', () => {
    const { kept } = bounded(800)
    let found = 0
    for (let turn = 0; turn < 10; turn++) {
      for (let name = 0; name < 100; name++) {
        if (kept.get(`${name}`) !== undefined) found += turn > 0 ? 1 : 0
        else kept.set(`${name}`, thing(`${name}`))
      }
    }
    assert.ok(found >= 0.6 * 900, `${found} of 900`)
  })

  test('what is asked for from now on takes the place of what was, however often that was asked for', () => {
    const { kept } = bounded(1000)
    for (let name = 0; name < 100; name++) kept.set(`old ${name}`, thing(`old ${name}`))
    for (let name = 0; name < 100; name++) kept.get(`old ${name}`)
    let found = 0
    for (let turn = 0; turn < 20; turn++) {
      for (let name = 0; name < 60; name++) {
        if (kept.get(`${name}`) === undefined) kept.set(`${name}`, thing(`${name}`))
        else if (turn === 19) found++
      }
    }
    assert.equal(found, 60)
  })

  test('what is asked for from now on is at hand the next time', () => {
    const { kept } = bounded(1000)
    const pass = (names: string[]) => {
      const found = names.filter((name) => kept.get(name) !== undefined)
      for (const name of names) if (!found.includes(name)) kept.set(name, thing(name))
      return found.length
    }
    const many = (kind: string) => Array.from({ length: 90 }, (_, at) => `${kind} ${at}`)
    for (const kind of ['mornings', 'evenings', 'nights']) {
      assert.equal(pass(many(kind)), 0)
      const found = pass(many(kind))
      assert.equal(found, 90, kind)
    }
  })

  test('a look that is no use of it does not save it', () => {
    const { kept, gone } = bounded(20)
    for (const name of ['a', 'b']) kept.set(name, thing(name))
    kept.peek('a')
    kept.set('c', thing('c'))
    assert.deepEqual(gone, ['a'])
  })

  test('when all were used, the oldest goes', () => {
    const { kept, gone } = bounded(20)
    for (const name of ['a', 'b']) kept.set(name, thing(name))
    for (const name of ['b', 'a']) kept.get(name)
    kept.set('c', { ...thing('c'), used: true })
    assert.deepEqual([gone, kept.bytes], [['a'], 20])
  })

  test('what is larger than the budget is not kept, and is told', () => {
    const { kept, gone } = bounded(30)
    kept.set('a', thing('a'))
    kept.set('huge', thing('huge', 31))
    assert.deepEqual([kept.bytes, kept.get('huge'), gone.includes('huge')], [0, undefined, true])
    assert.deepEqual(bounded(0).kept.size, 0)
  })

  test('whatever is done, the sum is right and within the budget, and each that left was told once', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const step = fc.oneof(
      fc.record({ do: fc.constant('set' as const), key, bytes: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ do: fc.constantFrom('get' as const, 'delete' as const, 'clear' as const), key }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { kept, gone } = bounded(100)
        let count = 0
        for (const one of steps) {
          if (one.do === 'set') kept.set(one.key, thing(`${++count}`, one.bytes))
          else if (one.do === 'clear') kept.clear()
          else kept[one.do](one.key)
          const present = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => kept.peek(name) ?? [])
          assert.equal(
            kept.bytes,
            present.reduce((sum, { bytes }) => sum + bytes, 0),
          )
          assert.ok(kept.bytes <= 100)
          assert.equal(kept.size, present.length)
          const everywhere = [...gone, ...present.map(({ name }) => name)].sort()
          assert.deepEqual(everywhere, Array.from({ length: count }, (_, n) => `${n + 1}`).sort())
        }
      }),
    )
  })
})
