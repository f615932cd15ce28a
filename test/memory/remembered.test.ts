import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Weighed } from '../../src/storage/memory/bounded.ts'
import { Remembered } from '../../src/storage/memory/remembered.ts'

interface Thing extends Weighed {
  name: string
  isStale?: boolean
}

const thing = (name: string): Thing => ({ name, bytes: 1, used: false })

/** A store whose answers are let go by hand. */
function slowly(limitBytes = 100) {
  const asked: { key: string; answer: PromiseWithResolvers<Thing | undefined> }[] = []
  const gone: string[] = []
  const remembered = new Remembered<Thing>(limitBytes, {
    load: (key) => {
      const answer = Promise.withResolvers<Thing | undefined>()
      asked.push({ key, answer })
      return answer.promise
    },
    isStale: ({ isStale }) => isStale === true,
    gone: ({ name }) => gone.push(name),
  })
  const reply = async (at: number, found: Thing | undefined) => {
    asked[at]?.answer.resolve(found)
    await nextTurn()
  }
  return { remembered, asked, gone, reply }
}

const nameOf = async (found: Thing | undefined | Promise<Thing | undefined>) => (await found)?.name

describe('what is remembered', () => {
  test('is loaded once for all who ask meanwhile, then found at hand', async () => {
    const { remembered, asked, reply } = slowly()
    const waiting = [remembered.find('a'), remembered.find('a')]
    assert.equal(remembered.get('a'), undefined)
    await reply(0, thing('one'))
    assert.deepEqual(await Promise.all(waiting.map(nameOf)), ['one', 'one'])
    assert.equal(remembered.get('a')?.name, 'one')
    assert.equal(await nameOf(remembered.find('a')), 'one')
    assert.equal(asked.length, 1)
  })

  test('is read in another way by whoever needs more of it', async () => {
    const { remembered, asked } = slowly()
    assert.equal(await nameOf(remembered.find('a', () => thing('whole'))), 'whole')
    assert.deepEqual([remembered.get('a')?.name, asked.length], ['whole', 0])
  })

  test('counts what was at hand and what was not', async () => {
    const { remembered, reply } = slowly()
    remembered.find('a')
    await reply(0, thing('one'))
    remembered.find('a')
    remembered.get('a')
    remembered.peek('a')
    assert.deepEqual(remembered.figures, { hits: 2, misses: 1, bytes: 1, entries: 1 })
  })

  for (const forgetting of ['forget', 'forgetLoad', 'forgetAll'] as const) {
    test(`a load that is overtaken by ${forgetting} is not kept, and the next who asks does not wait for it`, async () => {
      const { remembered, asked, gone, reply } = slowly()
      const early = remembered.find('a')
      remembered[forgetting]('a')
      const late = remembered.find('a')
      assert.equal(asked.length, 2)
      await reply(0, thing('old'))
      assert.equal(await nameOf(early), 'old')
      assert.equal(remembered.get('a'), undefined)
      assert.deepEqual(gone, ['old'])
      await reply(1, thing('new'))
      assert.equal(await nameOf(late), 'new')
      assert.equal(remembered.get('a')?.name, 'new')
    })
  }

  test('an overtaken load that ends last does not take the place of the newer one', async () => {
    const { remembered, reply } = slowly()
    remembered.find('a')
    remembered.forget('a')
    remembered.find('a')
    await reply(1, thing('new'))
    await reply(0, thing('old'))
    assert.equal(remembered.get('a')?.name, 'new')
  })

  test('forgetting one leaves the others', async () => {
    const { remembered, gone, reply } = slowly()
    for (const key of ['a', 'b']) remembered.find(key)
    await reply(0, thing('a'))
    await reply(1, thing('b'))
    remembered.forget('a')
    assert.deepEqual([remembered.get('a'), remembered.get('b')?.name, gone], [undefined, 'b', ['a']])
  })

  test('what is in neither place is not remembered: it may come', async () => {
    const { remembered, asked, reply } = slowly()
    const first = remembered.find('a')
    await reply(0, undefined)
    assert.equal(await first, undefined)
    const second = remembered.find('a')
    await reply(1, thing('came'))
    assert.deepEqual([await nameOf(second), asked.length], ['came', 2])
  })

  test('a load that fails fails for those who waited, and is tried again', async () => {
    const { remembered, asked, reply } = slowly()
    const first = remembered.find('a') as Promise<unknown>
    asked[0]?.answer.reject(new Error('broken'))
    await assert.rejects(first, /broken/)
    const second = remembered.find('a')
    await reply(1, thing('whole'))
    assert.equal(await nameOf(second), 'whole')
  })

  test('what stands on something that was forgotten is loaded again', async () => {
    const { remembered, asked, reply } = slowly()
    remembered.find('a')
    await reply(0, { ...thing('old'), isStale: true })
    assert.equal(remembered.get('a'), undefined)
    const again = remembered.find('a')
    await reply(1, thing('new'))
    assert.deepEqual([await nameOf(again), asked.length], ['new', 2])
  })

  test('what does not fit is loaded each time', async () => {
    const { remembered, asked, gone, reply } = slowly(0)
    for (const at of [0, 1]) {
      const found = remembered.find('a')
      await reply(at, thing(`${at}`))
      assert.equal(await nameOf(found), `${at}`)
    }
    assert.deepEqual([asked.length, gone, remembered.figures.bytes], [2, ['0', '1'], 0])
  })

  test('an engine that answers at once is answered for at once', () => {
    const remembered = new Remembered<Thing>(100, { load: (key) => (key === 'a' ? thing('a') : undefined) })
    assert.equal((remembered.find('a') as Thing).name, 'a')
    assert.equal(remembered.find('b'), undefined)
    assert.deepEqual(remembered.figures, { hits: 0, misses: 2, bytes: 1, entries: 1 })
  })
})
