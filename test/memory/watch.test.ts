import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Changes } from '../../src/storage/engine.ts'
import { Watch } from '../../src/storage/memory/watch.ts'

const change = { action: 'room.open', facility: 'f', partner: null }

describe('a watch on an engine that answers at once', () => {
  function watching() {
    const seen = { looks: 0, applied: [] as Changes[] }
    const next: { changes: Changes; error?: Error } = { changes: [] }
    const watch = new Watch(
      () => {
        seen.looks++
        if (next.error) throw next.error
        return next.changes
      },
      (changes) => seen.applied.push(changes),
    )
    return { watch, seen, next }
  }

  test('looks once a turn, however many ask', async () => {
    const { watch, seen } = watching()
    for (let n = 0; n < 5; n++) assert.equal(watch.catchUp(), undefined)
    assert.equal(seen.looks, 1)
    await nextTurn()
    watch.catchUp()
    assert.equal(seen.looks, 2)
  })

  test('looks again in the same turn once something may have been committed in it', () => {
    const { watch, seen } = watching()
    watch.catchUp()
    watch.expire()
    watch.catchUp()
    assert.equal(seen.looks, 2)
  })

  for (const changes of [[change], 'everything'] as Changes[]) {
    test(`has applied ${JSON.stringify(changes)} before it says that there is nothing to wait for`, () => {
      const { watch, seen, next } = watching()
      next.changes = changes
      watch.catchUp()
      assert.deepEqual(seen.applied, [changes])
    })
  }

  test('a look that fails says so to those who wait, nothing is believed any more, and the next one is made', async () => {
    const { watch, seen, next } = watching()
    next.error = new Error('broken')
    await assert.rejects(watch.catchUp() as Promise<void>, /broken/)
    assert.deepEqual(seen.applied, ['everything'])
    delete next.error
    next.changes = [change]
    await watch.catchUp()
    assert.deepEqual(seen, { looks: 2, applied: ['everything', [change]] })
    await nextTurn()
    next.changes = []
    assert.equal(watch.catchUp(), undefined, 'and it is made at once again')
  })
})

describe('a watch on a server', () => {
  function watching() {
    const looks: PromiseWithResolvers<Changes>[] = []
    const applied: Changes[] = []
    const watch = new Watch(
      () => {
        const look = Promise.withResolvers<Changes>()
        looks.push(look)
        return look.promise
      },
      (changes) => applied.push(changes),
    )
    const done: string[] = []
    const ask = (name: string) => {
      const waiting = watch.catchUp()
      assert.ok(waiting instanceof Promise)
      return waiting.then(
        () => done.push(name),
        () => done.push(`${name} failed`),
      )
    }
    const answer = async (at: number, changes: Changes) => {
      looks[at]?.resolve(changes)
      await settled()
    }
    return { ask, looks, applied, done, answer }
  }
  const settled = async () => {
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  }

  test('whoever comes while a look is under way waits for the next one, which begins after it has ended', async () => {
    const { ask, looks, done, answer } = watching()
    ask('first')
    await settled()
    ask('second')
    ask('third')
    await settled()
    assert.deepEqual([looks.length, done], [1, []])
    await answer(0, [])
    assert.deepEqual([looks.length, done], [2, ['first']])
    ask('fourth')
    await settled()
    assert.equal(looks.length, 2)
    await answer(1, [])
    assert.deepEqual([looks.length, done], [3, ['first', 'second', 'third']])
    await answer(2, [])
    assert.deepEqual(done, ['first', 'second', 'third', 'fourth'])
  })

  test('all who come in one turn share one look', async () => {
    const { ask, looks, done, answer } = watching()
    ask('first')
    await answer(0, [])
    for (const name of ['a', 'b', 'c']) ask(name)
    await settled()
    assert.equal(looks.length, 2)
    await answer(1, [])
    assert.deepEqual(done, ['first', 'a', 'b', 'c'])
  })

  test('every request of a later turn has a look of its own: nothing is known for long', async () => {
    const { ask, looks, answer } = watching()
    for (const at of [0, 1, 2]) {
      ask(`${at}`)
      await settled()
      await answer(at, [])
    }
    assert.equal(looks.length, 3)
  })

  test('changes are applied before anybody goes on', async () => {
    const { ask, applied, answer } = watching()
    const first = ask('first').then(() => assert.deepEqual(applied, [[change]]))
    await answer(0, [change])
    await first
  })

  test('a look that fails fails for those who waited, nothing is believed any more, and the next one is made', async () => {
    const { ask, looks, applied, done, answer } = watching()
    ask('first')
    ask('second')
    looks[0]?.reject(new Error('broken'))
    await settled()
    assert.deepEqual([done, applied], [['first failed'], ['everything']])
    looks[1]?.reject(new Error('still broken'))
    await settled()
    ask('third')
    await settled()
    await answer(2, [change])
    assert.deepEqual(done, ['first failed', 'second failed', 'third'])
    assert.deepEqual(applied, ['everything', 'everything', [change]])
  })
})
