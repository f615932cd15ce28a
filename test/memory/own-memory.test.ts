import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Bytes, release } from '../../src/domain/bytes.ts'
import { Answers, prepare } from '../../src/storage/memory/answers.ts'
import type { Shelf } from '../../src/storage/memory/ready-answer.ts'

const shelf = (): Shelf => ({ id: 1, answers: 0 })

describe('the memory of an answer that was made', () => {
  const bytes = (length: number) => new Uint8Array(length).fill(120)

  test("is its receiver's, who may give it back: what is kept stands elsewhere", () => {
    const answers = new Answers(100_000)
    const place = shelf()
    const { isOwn, body } = answers.keep(place, 0, bytes(20_000))
    assert.ok(isOwn)
    release(body as Bytes)
    assert.deepEqual(answers.get(place, 0)?.body, Buffer.from(bytes(20_000)))
  })

  const shared = {
    'is kept as it is': bytes(65_537),
    'is a text': 'x'.repeat(20_000),
    'is a part': bytes(99).subarray(40),
  }
  for (const [name, body] of Object.entries(shared)) {
    test(`is not when it ${name}`, () => {
      assert.equal(new Answers(100_000).keep(shelf(), 0, body).isOwn, false)
      assert.equal(prepare(shelf(), 0, body).isOwn, false)
    })
  }

  test('is not when the answer was kept before', () => {
    const answers = new Answers(100_000)
    const place = shelf()
    answers.keep(place, 0, bytes(20_000))
    assert.deepEqual([answers.get(place, 0)?.isOwn, answers.get(place, 0)?.held().isOwn], [false, false])
  })
})
