import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { etagOf } from '../../src/domain/representation.ts'
import { Answers, prepare } from '../../src/storage/memory/answers.ts'
import type { ReadyAnswer, Shelf } from '../../src/storage/memory/ready-answer.ts'
import { noise } from './noise.ts'

let shelves = 0
const shelf = (): Shelf => ({ id: ++shelves, answers: 0 })
const text = (bytes: number) => `"${noise(bytes - 2)}"`
/** What one answer of that size counts for. */
const weightOf = (bytes: number) => {
  const answers = new Answers(1_000_000)
  answers.keep(shelf(), 0, text(bytes))
  return answers.figures.bytes
}

describe('an answer as bytes', () => {
  for (const json of ['{}', '"Hôtel « Étoile » 🛏"', text(65_536), text(65_537), `"${'é'.repeat(20_000)}"`]) {
    test(`of ${Buffer.byteLength(json)} bytes is what was given, with its tag`, () => {
      const answer = prepare(shelf(), 0, json)
      assert.deepEqual(answer.body, Buffer.from(json))
      assert.deepEqual([answer.length, answer.etag], [Buffer.byteLength(json), etagOf(json)])
    })
  }
})

describe('the answers of a node', () => {
  test('are found where they were kept, and nowhere else', () => {
    const answers = new Answers(10_000)
    const [here, there] = [shelf(), shelf()]
    const { etag } = answers.keep(here, 3, '"a"')
    const found = answers.get(here, 3)
    assert.deepEqual([found?.etag, String(found?.body)], [etag, '"a"'])
    assert.equal(answers.get(here, 4), undefined)
    assert.equal(answers.get(there, 3), undefined)
    assert.deepEqual([answers.figures.hits, answers.figures.entries], [1, 1])
  })

  test('a new one takes the place of the old one', () => {
    const answers = new Answers(10_000)
    const place = shelf()
    answers.keep(place, 0, '"old"')
    const { bytes } = answers.figures
    answers.keep(place, 0, '"new"')
    assert.deepEqual([answers.slotsOn(place).length, answers.figures.entries, answers.figures.bytes], [1, 1, bytes])
    assert.equal(String(answers.get(place, 0)?.body), '"new"')
  })

  test('dropping one slot leaves the others, dropping all leaves nothing', () => {
    const answers = new Answers(10_000)
    const place = shelf()
    for (const slot of [-1, -2, 0, 7]) answers.keep(place, slot, `"${slot}"`)
    answers.drop(place, -1)
    assert.deepEqual(
      [-1, -2, 0, 7].map((slot) => answers.get(place, slot) !== undefined),
      [false, true, true, true],
    )
    answers.drop(place)
    assert.deepEqual([answers.slotsOn(place), answers.figures.bytes, answers.figures.entries], [[], 0, 0])
  })

  test('stay within the budget, and those not used since the hand last came by go first', () => {
    const limit = 4 * weightOf(1000)
    const answers = new Answers(limit)
    const places = Array.from({ length: 6 }, shelf)
    places.forEach((place, n) => {
      answers.keep(place, 0, text(1000))
      assert.ok(answers.figures.bytes <= limit)
      if (n === 4) assert.ok(answers.get(places[1] as Shelf, 0))
    })
    const present = places.map((place) => answers.get(place, 0) !== undefined)
    assert.deepEqual(present, [false, true, false, true, true, true])
  })

  test('those asked for from now on take the places of others, however often these were asked for', () => {
    const answers = new Answers(100 * weightOf(1000))
    const [old, fresh] = [Array.from({ length: 100 }, shelf), Array.from({ length: 60 }, shelf)]
    const found = (places: Shelf[]) => {
      const isThere = places.map((place) => answers.get(place, 0) !== undefined)
      for (const [at, place] of places.entries()) if (!isThere[at]) answers.keep(place, 0, text(1000))
      return isThere.filter(Boolean).length
    }
    for (let turn = 0; turn < 2; turn++) found(old)
    for (let turn = 0; turn < 20; turn++) found(fresh)
    assert.equal(found(fresh), 60)
  })

  test('one that is larger than the budget is answered, and not kept', () => {
    const answers = new Answers(1000)
    const place = shelf()
    assert.equal(answers.keep(place, 0, text(2000)).length, 2000)
    assert.deepEqual([answers.slotsOn(place).length, answers.figures.bytes], [0, 0])
  })
})

describe('the answers of a node that is full', () => {
  const wordy = (of: number, length: number) => `"room ${of}"`.padEnd(length, `,"room ${of}"`)

  /** Asks for all of them, keeps those that are not there, and says how many were; those are what they should be. */
  function pass(answers: Answers, places: Shelf[], length: number): number {
    const missing = [...places.entries()].filter(([at, place]) => {
      const found = answers.get(place, 0)
      const isRight = found?.body.equals(Buffer.from(wordy(at, length))) && found.etag === etagOf(wordy(at, length))
      assert.ok(found === undefined || isRight, `answer ${at}`)
      return found === undefined
    })
    for (const [at, place] of missing) answers.keep(place, 0, wordy(at, length))
    return places.length - missing.length
  }

  test('are squeezed when they come', () => {
    const answers = new Answers(20_000)
    const places = Array.from({ length: 60 }, shelf)
    pass(answers, places, 8192)
    assert.ok(answers.figures.entries > 50, `${answers.figures.entries}`)
    for (let turn = 0; turn < 20; turn++) pass(answers, places, 8192)
    assert.equal(pass(answers, places, 8192), 60)
    assert.ok(answers.figures.bytes <= 20_000)
    const held = places.map((place) => answers.get(place, 0)?.held())
    for (const place of places) answers.drop(place)
    assert.equal(answers.figures.bytes, 0)
    assert.ok(held.every((one, at) => one?.body.equals(Buffer.from(wordy(at, 8192)))))
  })

  test('are squeezed a little before it is full, and the others when the hand finds them unused', () => {
    const each = weightOf(2000)
    const answers = new Answers(20 * each)
    const places = Array.from({ length: 60 }, shelf)
    const bytesAfter = (count: number) => {
      for (const place of places.slice(answers.figures.entries, count))
        answers.keep(place, 0, wordy(places.indexOf(place), 2000))
      return answers.figures.bytes
    }
    assert.equal(bytesAfter(18), 18 * each)
    assert.ok(bytesAfter(19) < 18.2 * each)
    assert.ok(bytesAfter(60) <= 20 * each)
    assert.equal(answers.figures.entries, 60)
    assert.equal(pass(answers, places, 2000), 60)
  })

  test('are not squeezed where that would win nothing: they go', () => {
    const answers = new Answers(20 * weightOf(2000))
    for (const place of Array.from({ length: 60 }, shelf)) answers.keep(place, 0, text(2000))
    assert.equal(answers.figures.entries, 20)
  })

  test('are overwritten also where they were last read, when one is dropped', () => {
    const answers = new Answers(20_000)
    const places = Array.from({ length: 60 }, shelf)
    pass(answers, places, 8192)
    const last = places.at(-1) as Shelf
    const read = answers.get(last, 0)?.body as Buffer
    assert.ok(read.equals(Buffer.from(wordy(59, 8192))))
    answers.drop(last)
    assert.ok(read.every((byte) => byte === 0))
  })

  test('are squeezed only when they come back, where that takes long', () => {
    const answers = new Answers(100_000)
    const places = Array.from({ length: 12 }, shelf)
    pass(answers, places, 30_000)
    assert.equal(answers.figures.entries, 3)
    for (let turn = 0; turn < 40; turn++) pass(answers, places, 30_000)
    assert.equal(pass(answers, places, 30_000), 12)
  })
})

describe('an answer that somebody holds', () => {
  for (const bytes of [1000, 50_000]) {
    test(`of ${bytes} bytes stays what it was when it is forgotten, and its place another's`, () => {
      const answers = new Answers(1_000_000)
      const place = shelf()
      const made = answers.keep(place, 0, text(bytes))
      answers.keepEncoded(made, 'gzip', Buffer.alloc(100))
      const held = answers.get(place, 0)?.held() as ReadyAnswer
      assert.equal(held.encoded?.get('gzip')?.length, 100)
      answers.drop(place)
      answers.keep(place, 0, JSON.stringify('y'.repeat(bytes - 2)))
      for (const answer of [made, held]) {
        assert.deepEqual(answer.body, Buffer.from(text(bytes)))
        assert.equal(answer.etag, etagOf(text(bytes)))
      }
    })
  }

  test('is not to be had of one that was forgotten', () => {
    const answers = new Answers(10_000)
    const place = shelf()
    answers.keep(place, 0, text(1000))
    const kept = answers.get(place, 0)
    answers.drop(place)
    assert.throws(() => kept?.body, /forgotten/)
  })
})

describe('an answer in other encodings', () => {
  const encoded = (bytes: number) => Buffer.alloc(bytes)

  test('counts with it, and goes with it', () => {
    const answers = new Answers(10_000)
    const place = shelf()
    const answer = answers.keep(place, 0, text(1000))
    const before = answers.figures.bytes
    answers.keepEncoded(answer, 'gzip', encoded(100))
    answers.keepEncoded(answer, 'br', encoded(50))
    assert.equal(answers.figures.bytes, before + 150)
    assert.equal(answers.get(place, 0)?.encoded?.get('gzip')?.length, 100)
    answers.drop(place)
    assert.equal(answers.figures.bytes, 0)
  })

  test('counts once, however often it was made', () => {
    const answers = new Answers(10_000)
    const answer = answers.keep(shelf(), 0, text(1000))
    const before = answers.figures.bytes
    for (let round = 0; round < 5; round++) answers.keepEncoded(answer, 'gzip', encoded(100))
    assert.equal(answers.figures.bytes, before + 100)
  })

  test('is within the budget too', () => {
    const limit = 4 * weightOf(1000) + 500
    const answers = new Answers(limit)
    const kept = Array.from({ length: 4 }, () => answers.keep(shelf(), 0, text(1000)))
    for (const answer of kept) {
      answers.keepEncoded(answer, 'gzip', encoded(400))
      assert.ok(answers.figures.bytes <= limit, `${answers.figures.bytes} bytes`)
    }
    assert.ok(answers.figures.entries >= 2, 'and no more went than had to')
  })

  test('is not kept for one that was dropped meanwhile', () => {
    const answers = new Answers(10_000)
    const place = shelf()
    const answer = answers.keep(place, 0, text(1000))
    answers.drop(place)
    answers.keepEncoded(answer, 'gzip', encoded(100))
    assert.equal(answers.figures.bytes, 0)
    answers.keep(place, 0, text(1001))
    answers.keepEncoded(answer, 'gzip', encoded(100))
    assert.equal(answers.get(place, 0)?.encoded, undefined)
  })
})
