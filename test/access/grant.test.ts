import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addUp, decidingGrant, demand, type Grant, type Need, type Rights } from '../../src/domain/grant.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { type Kind, names } from '../harness/grant-names.ts'

const kinds = Object.keys(names) as Kind[]
const none = { read: [], write: [], rooms: [] }
const all = { read: '*', write: '*', rooms: '*' } as const
const every = kinds.flatMap((kind) => names[kind].map((name) => ({ kind, name })))

const only = (kind: Kind, ...granted: string[]) => ({ ...none, [kind]: granted }) as Rights
const needOf = (kind: Kind, name: string) => ({ [kind]: name }) as Need
const listed = (rights: Rights[]) => {
  const { read, write, rooms } = addUp(rights)
  return { read: [...read], write: [...write], rooms: [...rooms] }
}

describe('grants add up', () => {
  for (const { kind, name } of every) {
    test(`${kind}: ${name} alone`, () => {
      assert.deepEqual(listed([only(kind, name)]), { ...none, [kind]: [name] })
    })
  }

  for (const kind of kinds) {
    test(`${kind}: the star is every name, beside any other grant`, () => {
      const star = { ...none, [kind]: '*' } as Rights
      for (const grants of [[star], [only(kind), star], [star, only(kind, names[kind][0] as string)]]) {
        assert.deepEqual(listed(grants), { ...none, [kind]: names[kind] })
      }
    })
  }

  test('none is nothing, and what several give is there once', () => {
    assert.deepEqual(listed([]), none)
    const both = [only('read', 'type', 'areas'), only('read', 'areas', 'devices'), only('rooms', 'services')]
    assert.deepEqual(listed(both), { read: ['type', 'devices', 'areas'], write: [], rooms: ['services'] })
  })

  test('the mask has a bit of its own for each readable field', () => {
    const maskOf = (...fields: string[]) => addUp([only('read', ...fields)]).readMask
    assert.equal(maskOf(), 0)
    const bits = names.read.map((field) => maskOf(field))
    assert.equal(new Set(bits).size, names.read.length)
    for (const bit of bits) assert.ok(bit > 0 && (bit & (bit - 1)) === 0)
    assert.equal(maskOf('type', 'areas'), maskOf('type') + maskOf('areas'))
    assert.equal(addUp([all]).readMask, 2 ** names.read.length - 1)
  })
})

describe('what is needed is demanded', () => {
  for (const { kind, name } of every) {
    test(`${kind}: ${name} by nothing else, and the refusal names it`, () => {
      const others = names[kind].filter((other) => other !== name)
      demand(addUp([only(kind, name)]), 'f', needOf(kind, name))
      assert.throws(
        () => demand(addUp([{ ...all, [kind]: others }]), 'f', needOf(kind, name)),
        (error) => {
          assert.ok(error instanceof Refusal)
          assert.equal(error.code, 'not_granted')
          assert.equal(error.message, `This needs the grant "${kind}: ${name}" on facility f.`)
          assert.deepEqual(error.facts.required, { facility: 'f', [kind]: name })
          return true
        },
      )
    })
  }

  test('nothing is demanded where nothing is needed', () => demand(addUp([]), 'f', 'none'))
})

describe('the grant that decides', () => {
  const grants = [
    { facilities: ['a', 'b'], ...only('read', 'areas') },
    { facilities: '*', ...only('read', 'type') },
    { facilities: ['a'], ...all },
    { facilities: [], ...all },
  ] as Grant[]
  const rows: [string, Need, number][] = [
    ['a', 'none', 0],
    ['c', 'none', 1],
    ['a', { read: 'areas' }, 0],
    ['b', { read: 'type' }, 1],
    ['c', { read: 'type' }, 1],
    ['*', { read: 'type' }, 1],
    ['a', { write: 'name' }, 2],
    ['b', { write: 'name' }, -1],
    ['c', { read: 'areas' }, -1],
    ['a', { rooms: 'services' }, 2],
  ]
  for (const [facility, need, place] of rows) {
    test(`${JSON.stringify(need)} on ${facility}: ${place}`, () => {
      assert.equal(decidingGrant(grants, facility, need), place)
    })
  }

  test('without grants there is none', () => assert.equal(decidingGrant([], 'a', 'none'), -1))
})
