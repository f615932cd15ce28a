import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readFacility } from '../../src/operations/facility.ts'
import type { Db } from '../../src/storage/database.ts'
import { memoryByHand, revokedAt, smallWorld } from './hand.ts'

const change = (action: string, about: { facility?: string; partner?: string }) => {
  return { action, facility: null, partner: null, ...about }
}

for (const newestFirst of [false, true]) {
  const order = newestFirst ? 'the newest answers coming first' : 'answers coming in order'

  describe(`what changes while it is being looked up, ${order}`, () => {
    for (const steps of [0, 1, 2, 3]) {
      test(`a token that is revoked after ${steps} steps is revoked for whoever asks afterwards`, async () => {
        const hand = memoryByHand(smallWorld)
        const { memory, step, settle } = hand
        await memory.catchUp()
        const early = memory.tokens.find('t')
        for (let n = 0; n < steps; n++) await step()
        await hand.commit(change('token.revoke', { partner: 'p' }))
        const late = memory.tokens.find('t')
        await settle(newestFirst)
        await early
        assert.equal((await late)?.revokedAt, revokedAt)
        const next = memory.tokens.find('t')
        await settle()
        assert.equal((await next)?.revokedAt, revokedAt, 'the one that is kept')
      })
    }

    for (const steps of [0, 1, 2]) {
      test(`a facility that is made anew after ${steps} steps is the new one for whoever asks afterwards`, async () => {
        const hand = memoryByHand(smallWorld)
        const { memory, step, settle } = hand
        await memory.catchUp()
        const early = memory.facilityOfRoom('f-1', () => true)
        for (let n = 0; n < steps; n++) await step()
        await hand.commit(change('facility.remove', { facility: 'f' }), change('facility.create', { facility: 'f' }))
        const late = memory.facilityOfRoom('f-1', () => true)
        await settle(newestFirst)
        await early
        assert.equal((await late)?.id, 2)
        const next = memory.places.get('f-1') ?? memory.facilityOfRoom('f-1', () => true)
        await settle()
        assert.equal((await next)?.id, 2, 'the one that is kept')
      })
    }
  })
}

describe('a token that is looked up after its partner has changed and before anybody has looked', () => {
  test('is found, with the partner as it is now', async () => {
    const { memory, settle, commitUnseen } = memoryByHand(smallWorld)
    await memory.catchUp()
    memory.partners.find('p')
    await settle()
    commitUnseen(change('token.rotate', { partner: 'p' }))
    const found = memory.tokens.find('t')
    await settle()
    assert.equal((await found)?.partner.version, 2)
  })
})

describe('an answer that is overtaken while it is being made', () => {
  const kinds = [
    { action: 'facility.change', kind: 'own', slot: 5 },
    { action: 'room.open', kind: 'areas', slot: -1 },
    { action: 'autocomplete_list.replace', kind: 'list', slot: -2 },
    { action: 'autocomplete_list.replace', kind: 'own', slot: 5 },
    { action: 'facility.update', kind: 'areas', slot: -1 },
    { action: 'facility.remove', kind: 'own', slot: 5 },
    { action: 'something.newer', kind: 'own', slot: 5 },
  ] as const
  for (const { action, kind, slot } of kinds) {
    test(`${kind} by ${action} is answered and not kept`, async () => {
      const hand = memoryByHand(smallWorld)
      const { memory, settle } = hand
      await memory.catchUp()
      const finding = memory.facilities.find('f')
      await settle()
      const facility = await finding
      assert.ok(facility)
      const made = Promise.withResolvers<string>()
      const answered = memory.answer(facility, slot, () => made.promise)
      await hand.commit(change(action, { facility: 'f' }))
      made.resolve('"old"')
      assert.equal(String((await answered).body), '"old"')
      assert.equal(memory.answers.get(facility, slot), undefined)
      assert.equal(memory.figures.answers?.bytes, 0)
    })
  }

  test('a list of facilities by a change of one of them is answered and not kept', async () => {
    const hand = memoryByHand(smallWorld)
    const { memory, settle } = hand
    await memory.catchUp()
    const finding = memory.partners.find('p')
    await settle()
    const partner = await finding
    assert.ok(partner)
    const made = Promise.withResolvers<string>()
    const answered = memory.makeList(partner, () => made.promise)
    await hand.commit(change('facility.change', { facility: 'f' }))
    made.resolve('"old"')
    assert.equal(String((await answered).body), '"old"')
    assert.equal(memory.listOf(partner), undefined)
    assert.equal(memory.figures.answers?.bytes, 0)
    assert.equal(String((await memory.makeList(partner, () => '"new"')).body), '"new"')
    assert.equal(String(memory.listOf(partner)?.body), '"new"')
  })
})

describe('a facility that is loaded together with what is answered of it', () => {
  const begin = async () => {
    const hand = memoryByHand(smallWorld)
    await hand.memory.catchUp()
    const finding = hand.memory.partners.find('p')
    await hand.settle()
    const partner = await finding
    assert.ok(partner)
    const read = () => readFacility(hand as unknown as Db, partner, 'f', () => {})
    const nameIn = async (answer: ReturnType<typeof read>) => JSON.parse(String((await answer).body)).name
    return { ...hand, commit: hand.commit.bind(hand), read, nameIn }
  }

  test('is asked for once', async () => {
    const { read, nameIn, step, memory } = await begin()
    const answer = read()
    await step()
    assert.equal(await nameIn(answer), 'after 0')
    assert.equal(memory.figures.answers?.entries, 1)
    assert.equal(await nameIn(read()), 'after 0')
  })

  for (const action of ['facility.change', 'autocomplete_list.replace', 'facility.update', 'something.newer']) {
    for (const isLoaded of [false, true]) {
      const when = isLoaded ? 'before the next who asks' : 'while it is loaded'
      test(`and changed by ${action} ${when} is the new one for whoever asks afterwards`, async () => {
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
        assert.equal(await nameIn(next), 'after 1', 'the one that is kept')
      })
    }
  }
})
