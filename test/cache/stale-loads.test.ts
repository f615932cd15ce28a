import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readFacility } from '../../src/operations/facility.ts'
import { responseKey } from '../../src/storage/cached/estate-cache.ts'
import type { Db } from '../../src/storage/database.ts'
import { manualCache, revokedAt, sampleRows } from './manual-cache.ts'

const change = (action: string, about: { facility?: string; partner?: string }) => {
  return { action, facility: null, partner: null, ...about }
}

for (const newestFirst of [false, true]) {
  const order = newestFirst ? 'the newest load finishing first' : 'loads finishing in order'

  describe(`a change during a load, ${order}`, () => {
    for (const steps of [0, 1, 2, 3]) {
      test(`a token that is revoked after ${steps} steps is revoked for later requests`, async () => {
        const hand = manualCache(sampleRows)
        const { cache, step, settle } = hand
        await cache.ensureFresh()
        const early = cache.tokens.find('t')
        for (let n = 0; n < steps; n++) await step()
        await hand.commit(change('token.revoke', { partner: 'p' }))
        const late = cache.tokens.find('t')
        await settle(newestFirst)
        await early
        assert.equal((await late)?.revokedAt, revokedAt)
        const next = cache.tokens.find('t')
        await settle()
        assert.equal((await next)?.revokedAt, revokedAt, 'the cached token')
      })
    }

    for (const steps of [0, 1, 2]) {
      test(`a facility that is recreated after ${steps} steps is the new one for later requests`, async () => {
        const hand = manualCache(sampleRows)
        const { cache, step, settle } = hand
        await cache.ensureFresh()
        const early = cache.rooms.load('f-1', () => true)
        for (let n = 0; n < steps; n++) await step()
        await hand.commit(change('facility.remove', { facility: 'f' }), change('facility.create', { facility: 'f' }))
        const late = cache.rooms.load('f-1', () => true)
        await settle(newestFirst)
        await early
        assert.equal((await late)?.id, 2)
        const next = cache.rooms.get('f-1') ?? cache.rooms.load('f-1', () => true)
        await settle()
        assert.equal((await next)?.id, 2, 'the cached token')
      })
    }
  })
}

describe('a token that is loaded after its partner has changed and before a poll', () => {
  test('is found, with the partner as it is now', async () => {
    const { cache, settle, commitUnpolled: commitUnseen } = manualCache(sampleRows)
    await cache.ensureFresh()
    cache.partners.find('p')
    await settle()
    commitUnseen(change('token.rotate', { partner: 'p' }))
    const found = cache.tokens.find('t')
    await settle()
    assert.equal((await found)?.partner.version, 2)
  })
})

describe('a response that becomes stale while it is being made', () => {
  const cases = [
    { action: 'facility.change', kind: 'facility' },
    { action: 'room.open', kind: 'areas' },
    { action: 'autocomplete_list.replace', kind: 'list' },
    { action: 'autocomplete_list.replace', kind: 'facility' },
    { action: 'facility.update', kind: 'areas' },
    { action: 'facility.remove', kind: 'facility' },
    { action: 'something.newer', kind: 'facility' },
  ] as const
  for (const { action, kind } of cases) {
    test(`${kind} by ${action} is returned and not cached`, async () => {
      const hand = manualCache(sampleRows)
      const { responses } = hand.cache
      await hand.cache.ensureFresh()
      const made = Promise.withResolvers<string>()
      const key = responseKey(kind, 'f')
      const loading = responses.load(key, '', () => made.promise)
      await hand.commit(change(action, { facility: 'f' }))
      made.resolve('"old"')
      assert.equal(String((await loading).body), '"old"')
      assert.deepEqual([responses.get(key), responses.metrics.bytes], [undefined, 0])
    })
  }

  test('a list of facilities by a change of one of them is returned and not cached', async () => {
    const hand = manualCache(sampleRows)
    const { cache } = hand
    await cache.ensureFresh()
    const made = Promise.withResolvers<string>()
    const loading = cache.loadList('p', () => made.promise)
    await hand.commit(change('facility.change', { facility: 'f' }))
    made.resolve('"old"')
    assert.equal(String((await loading).body), '"old"')
    assert.equal(cache.responses.metrics.bytes, 0)
    assert.equal(String((await cache.loadList('p', () => '"new"')).body), '"new"')
    assert.equal(String((await cache.loadList('p', () => '"newer"')).body), '"new"')
  })
})

describe('a facility that is read', () => {
  const begin = async () => {
    const hand = manualCache(sampleRows)
    await hand.cache.ensureFresh()
    const finding = hand.cache.partners.find('p')
    await hand.settle()
    const partner = await finding
    assert.ok(partner)
    const read = () => readFacility(hand as unknown as Db, partner, 'f', () => {})
    const nameIn = async (answer: ReturnType<typeof read>) => JSON.parse(String((await answer).body)).name
    return { ...hand, commit: hand.commit.bind(hand), read, nameIn }
  }

  test('is loaded once', async () => {
    const { read, nameIn, step, cache } = await begin()
    const answer = read()
    await step()
    assert.equal(await nameIn(answer), 'after 0')
    assert.equal(cache.responses.metrics.entries, 1)
    assert.equal(await nameIn(read()), 'after 0')
  })

  for (const action of ['facility.change', 'autocomplete_list.replace', 'facility.update', 'something.newer']) {
    for (const isLoaded of [false, true]) {
      const when = isLoaded ? 'before the next request' : 'while it is loaded'
      test(`and changed by ${action} ${when} is the new one for later requests`, async () => {
        const { read, nameIn, step, settle, commit } = await begin()
        const early = read()
        if (isLoaded) await step()
        await commit(change(action, { facility: 'f' }))
        const late = read()
        await settle()
        assert.equal(await nameIn(early), 'after 0')
        assert.equal(await nameIn(late), 'after 1')
        const next = read()
        await settle()
        assert.equal(await nameIn(next), 'after 1', 'the cached token')
      })
    }
  }
})
