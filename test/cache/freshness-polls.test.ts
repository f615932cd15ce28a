import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Freshness } from '../../src/cache/freshness.ts'
import type { Changes } from '../../src/storage/engine.ts'

const change = { action: 'room.open', facility: 'f', partner: null }

describe('freshness with an engine that returns at once', () => {
  function polling() {
    const seen = { polls: 0, applied: [] as Changes[] }
    const next: { changes: Changes; error?: Error } = { changes: [] }
    const freshness = new Freshness<Changes>(
      () => {
        seen.polls++
        if (next.error) throw next.error
        return next.changes
      },
      (changes) => seen.applied.push(changes),
    )
    return { freshness, seen, next }
  }

  test('polls once per turn for any number of requests', async () => {
    const { freshness, seen } = polling()
    for (let n = 0; n < 5; n++) assert.equal(freshness.ensureFresh(), undefined)
    assert.equal(seen.polls, 1)
    await nextTurn()
    freshness.ensureFresh()
    assert.equal(seen.polls, 2)
  })

  test('polls again in the same turn once something may have been committed in it', () => {
    const { freshness, seen } = polling()
    freshness.ensureFresh()
    freshness.expire()
    freshness.ensureFresh()
    assert.equal(seen.polls, 2)
  })

  for (const changes of [[change], 'everything'] as Changes[]) {
    test(`has applied ${JSON.stringify(changes)} before it says that there is nothing to wait for`, () => {
      const { freshness, seen, next } = polling()
      next.changes = changes
      freshness.ensureFresh()
      assert.deepEqual(seen.applied, [changes])
    })
  }

  test('a poll that fails rejects its waiters, invalidates everything, and is retried', async () => {
    const { freshness, seen, next } = polling()
    next.error = new Error('broken')
    await assert.rejects(freshness.ensureFresh() as Promise<void>, /broken/)
    assert.deepEqual(seen.applied, ['everything'])
    delete next.error
    next.changes = [change]
    await freshness.ensureFresh()
    assert.deepEqual(seen, { polls: 2, applied: ['everything', [change]] })
    await nextTurn()
    next.changes = []
    assert.equal(freshness.ensureFresh(), undefined, 'and it is made at once again')
  })
})

describe('freshness with a server', () => {
  function polling() {
    const polls: PromiseWithResolvers<Changes>[] = []
    const applied: Changes[] = []
    const freshness = new Freshness<Changes>(
      () => {
        const poll = Promise.withResolvers<Changes>()
        polls.push(poll)
        return poll.promise
      },
      (changes) => applied.push(changes),
    )
    const done: string[] = []
    const ask = (name: string) => {
      const waiting = freshness.ensureFresh()
      assert.ok(waiting instanceof Promise)
      return waiting.then(
        () => done.push(name),
        () => done.push(`${name} failed`),
      )
    }
    const answer = async (at: number, changes: Changes) => {
      polls[at]?.resolve(changes)
      await settled()
    }
    return { ask, polls, applied, done, answer }
  }
  const settled = async () => {
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  }

  test('a request that arrives during a poll waits for the next one, which begins after it has ended', async () => {
    const { ask, polls, done, answer } = polling()
    ask('first')
    await settled()
    ask('second')
    ask('third')
    await settled()
    assert.deepEqual([polls.length, done], [1, []])
    await answer(0, [])
    assert.deepEqual([polls.length, done], [2, ['first']])
    ask('fourth')
    await settled()
    assert.equal(polls.length, 2)
    await answer(1, [])
    assert.deepEqual([polls.length, done], [3, ['first', 'second', 'third']])
    await answer(2, [])
    assert.deepEqual(done, ['first', 'second', 'third', 'fourth'])
  })

  test('all requests of one turn share one poll', async () => {
    const { ask, polls, done, answer } = polling()
    ask('first')
    await answer(0, [])
    for (const name of ['a', 'b', 'c']) ask(name)
    await settled()
    assert.equal(polls.length, 2)
    await answer(1, [])
    assert.deepEqual(done, ['first', 'a', 'b', 'c'])
  })

  test('requests of a later turn need another poll', async () => {
    const { ask, polls, answer } = polling()
    for (const at of [0, 1, 2]) {
      ask(`${at}`)
      await settled()
      await answer(at, [])
    }
    assert.equal(polls.length, 3)
  })

  test('changes are applied before any waiter goes on', async () => {
    const { ask, applied, answer } = polling()
    const first = ask('first').then(() => assert.deepEqual(applied, [[change]]))
    await answer(0, [change])
    await first
  })

  test('a poll that fails rejects its waiters, invalidates everything, and is retried', async () => {
    const { ask, polls, applied, done, answer } = polling()
    ask('first')
    ask('second')
    polls[0]?.reject(new Error('broken'))
    await settled()
    assert.deepEqual([done, applied], [['first failed'], ['everything']])
    polls[1]?.reject(new Error('still broken'))
    await settled()
    ask('third')
    await settled()
    await answer(2, [change])
    assert.deepEqual(done, ['first failed', 'second failed', 'third'])
    assert.deepEqual(applied, ['everything', 'everything', [change]])
  })
})
