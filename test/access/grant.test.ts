import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Access,
  combineGrants,
  decidingGrant,
  type Grant,
  type Need,
  notGranted,
  type Rights,
  reliesOnServices,
} from '../../src/domain/access/grant.ts'
import { nameList, permit } from '../../src/domain/permission.ts'
import { type Kind, names } from '../harness/grant-names.ts'

const kinds = Object.keys(names) as Kind[]
const none = { read: [], write: [], rooms: [] }
const all = { read: '*', write: '*', rooms: '*' } as const
const every = kinds.flatMap((kind) => names[kind].map((name) => ({ kind, name })))

const only = (kind: Kind, ...granted: string[]) => ({ ...none, [kind]: granted }) as Rights
const needOf = (kind: Kind, name: string) => ({ [kind]: name }) as Need
const listed = (rights: Rights[]) => {
  const { read, write, rooms } = combineGrants(rights)
  return { read: [...read], write: [...write], rooms: [...rooms] }
}

describe('grants add up', () => {
  for (const { kind, name } of every) {
    test(`${kind}: ${name} alone`, () => {
      assert.deepEqual(listed([only(kind, name)]), { ...none, [kind]: [name] })
    })
  }

  for (const kind of kinds) {
    test(`${kind}: * stands for every name, together with any other grant`, () => {
      const star = { ...none, [kind]: '*' } as Rights
      for (const grants of [[star], [only(kind), star], [star, only(kind, names[kind][0] as string)]]) {
        assert.deepEqual(listed(grants), { ...none, [kind]: names[kind] })
      }
    })
  }

  test('no grants allow nothing, and what several allow is listed once', () => {
    assert.deepEqual(listed([]), none)
    const both = [only('read', 'type', 'areas'), only('read', 'areas', 'devices'), only('rooms', 'services')]
    assert.deepEqual(listed(both), { read: ['type', 'devices', 'areas'], write: [], rooms: ['services'] })
  })

  test('the mask has a bit of its own for each readable field', () => {
    const maskOf = (...fields: string[]) => combineGrants([only('read', ...fields)]).readMask
    assert.equal(maskOf(), 0)
    const bits = names.read.map((field) => maskOf(field))
    assert.equal(new Set(bits).size, names.read.length)
    for (const bit of bits) assert.ok(bit > 0 && (bit & (bit - 1)) === 0)
    assert.equal(maskOf('type', 'areas'), maskOf('type') + maskOf('areas'))
    assert.equal(combineGrants([all]).readMask, 2 ** names.read.length - 1)
  })
})

describe('a permission check', () => {
  const partner = (access: Access, everywhere?: Access) => ({ everywhere, named: [{ access, names: nameList(['f']) }] })

  for (const { kind, name } of every) {
    test(`${kind}: ${name} is met by nothing else, and the refusal names it`, () => {
      const need = needOf(kind, name)
      const access = combineGrants([only(kind, name)])
      assert.equal(permit(partner(access), 'f', need), access)
      const others = names[kind].filter((other) => other !== name)
      assert.equal(permit(partner(combineGrants([{ ...all, [kind]: others }])), 'f', need), 'not_granted')
      const { code, message, facts } = notGranted('f', need)
      assert.deepEqual([code, message], ['not_granted', `This needs the grant "${kind}: ${name}" on facility f.`])
      assert.deepEqual(facts.required, { facility: 'f', [kind]: name })
    })
  }

  test('for two grants, the refusal names the first that is missing', () => {
    const need: Need = { rooms: 'open_close', andRooms: 'services' }
    const rows: [string[], string | undefined][] = [
      [['open_close', 'services'], undefined],
      [['open_close'], 'services'],
      [['services'], 'open_close'],
      [[], 'open_close'],
    ]
    for (const [rooms, missing] of rows) {
      const access = combineGrants([{ ...all, rooms } as Rights])
      assert.equal(permit(partner(access), 'f', need), missing === undefined ? access : 'not_granted')
      if (missing) assert.deepEqual(notGranted('f', need, access).facts.required, { facility: 'f', rooms: missing })
    }
  })

  test('without a need is met by every grant', () => {
    const access = combineGrants([])
    assert.equal(permit(partner(access), 'f', 'none'), access)
  })

  test('hides what no grant covers, and sandboxes from grants on every facility', () => {
    const [access, everywhere] = [combineGrants([]), combineGrants([all])]
    assert.equal(permit(partner(access), 'g', 'none'), 'hidden')
    assert.equal(permit(partner(access, everywhere), 'g', 'none'), everywhere)
    assert.equal(permit(partner(access, everywhere), 'f', 'none'), access)
    assert.equal(permit(partner(access, everywhere), 'atr-test.g', 'none'), 'hidden')
  })
})

describe('only the grant of services permits', () => {
  const readable = { read: 'areas', orRooms: 'services' } as const
  const rows: [what: string, rights: Rights, need: Need, isTrue: boolean][] = [
    ['reading services without the grant to read rooms', only('rooms', 'services'), readable, true],
    ['reading services with both grants', { ...only('rooms', 'services'), read: ['areas'] }, readable, false],
    ['reading what needs the grant to read rooms', only('rooms', 'services'), { read: 'areas' }, false],
    ['writing services', all, { rooms: 'services' }, true],
    ['opening a room', all, { rooms: 'open_close' }, false],
    ['opening a room with services', all, { rooms: 'open_close', andRooms: 'services' }, true],
    ['writing a property', all, { write: 'name' }, false],
    ['what needs no grant', only('rooms', 'services'), 'none', false],
  ]
  for (const [what, rights, need, isTrue] of rows) {
    test(`${what}: ${isTrue}`, () => assert.equal(reliesOnServices(combineGrants([rights]), need), isTrue))
  }
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
