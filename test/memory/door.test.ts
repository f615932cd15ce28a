import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Door } from '../../src/storage/memory/door.ts'

const inside = 10_000
const names = (of: string, count: number) => Array.from({ length: count }, (_, at) => `${of} ${at}`)

describe('the door of a full memory', () => {
  test('lets in all who are new', () => {
    const door = new Door(() => inside)
    const admitted = names('facility', 1000).filter((name) => door.admits(name))
    assert.equal(admitted.length, 1000)
  })

  test('lets in one in four of those who left, however often they come', () => {
    const door = new Door(() => inside)
    for (const name of names('facility', 1000)) door.left(name)
    for (let pass = 0; pass < 3; pass++) {
      const admitted = names('facility', 1000).map((name) => door.admits(name))
      assert.equal(admitted.filter((admission) => admission === 'known').length, 250)
      assert.equal(admitted.filter((admission) => admission === undefined).length, 750)
    }
  })

  test('takes few for others', () => {
    const door = new Door(() => inside)
    for (const name of names('left', 2 * inside)) door.left(name)
    const admitted = names('new', 10_000).filter((name) => door.admits(name))
    assert.ok(admitted.length > 9500, `${admitted.length} of 10000`)
  })

  test('takes few for others when it has noted as many as it can', () => {
    const door = new Door(() => 1_000_000)
    for (const name of names('left', 300_000)) door.left(name)
    const admitted = names('new', 10_000).filter((name) => door.admits(name) === 'new')
    assert.ok(admitted.length > 9600, `${admitted.length} of 10000`)
  })

  test('knows three times as many who left as there are inside, and not those of long ago', () => {
    const door = new Door(() => inside)
    for (const name of names('long ago', 1000)) door.left(name)
    for (const name of names('lately', 8 * inside)) door.left(name)
    const last = names('lately', 8 * inside).slice(-3 * inside)
    assert.equal(last.filter((name) => door.admits(name)).length, (3 * inside) / 4)
    const back = names('long ago', 1000).filter((name) => door.admits(name))
    assert.ok(back.length > 950, `${back.length} of 1000`)
  })
})
