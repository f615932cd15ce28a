import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Bytes, textOf } from '../../src/domain/bytes.ts'
import { Replies } from '../../src/storage/postgres/replies.ts'

function message(code: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(code)
  head.writeUInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}

function row(...fields: (string | null)[]): Buffer {
  const count = Buffer.alloc(2)
  count.writeUInt16BE(fields.length)
  const parts = fields.map((field) => {
    const text = Buffer.from(field ?? '')
    const length = Buffer.alloc(4)
    length.writeInt32BE(field === null ? -1 : text.length)
    return Buffer.concat([length, text])
  })
  return message('D', Buffer.concat([count, ...parts]))
}

const bound = message('2', Buffer.alloc(0))
const complete = (text: string) => message('C', Buffer.from(`${text}\0`))
const ready = message('Z', Buffer.from('I'))
const long = 'Hôtel '.repeat(50)

const sent = [
  bound,
  row('1', null, ''),
  row(long, '{"é":1}'),
  complete('SELECT 2'),
  bound,
  row(),
  row(long),
  ready,
  row('after'),
]

/** What comes out, in its order: rows as their fields, all else as bytes. */
function readInPieces(pieces: Buffer<ArrayBuffer>[]) {
  const heard: (Buffer | (string | null)[])[] = []
  const replies = new Replies(
    (come) => heard.push(come.fields),
    (bytes) => heard.push(Buffer.from(bytes)),
  )
  for (const piece of pieces) {
    replies.take(piece)
    // The driver may use the same memory for what comes next.
    piece.fill(0)
  }
  return joined(heard)
}

/** Bytes that follow one another, however they were cut. */
function joined(heard: (Buffer | (string | null)[])[]) {
  const result: (Buffer | (string | null)[])[] = []
  for (const one of heard) {
    const last = result.at(-1)
    if (Buffer.isBuffer(one) && Buffer.isBuffer(last)) result[result.length - 1] = Buffer.concat([last, one])
    else result.push(one)
  }
  return result
}

const expected = [
  bound,
  ['1', null, ''],
  [long, '{"é":1}'],
  Buffer.concat([complete('SELECT 2'), bound]),
  [],
  [long],
  ready,
  ['after'],
]

describe('what a server sends', () => {
  const all = Buffer.concat(sent)

  test('is told in its order when it comes at once', () => {
    assert.deepEqual(readInPieces([Buffer.from(all)]), expected)
  })

  test('is the same wherever it is cut', () => {
    for (let at = 0; at <= all.length; at++) {
      const pieces = [Buffer.from(all.subarray(0, at)), Buffer.from(all.subarray(at))]
      assert.deepEqual(readInPieces(pieces), expected, `cut after ${at} bytes`)
    }
  })

  test('is read from any of its columns on', () => {
    const texts: unknown[] = []
    const replies = new Replies(
      (come) => texts.push([0, 1, 2].map((first) => come.texts(first))),
      () => {},
    )
    replies.take(Buffer.from(row('a', null)))
    assert.deepEqual(texts, [[['a', null], [null], []]])
  })

  test('is the same byte by byte', () => {
    assert.deepEqual(readInPieces([...all].map((byte) => Buffer.from([byte]))), expected)
  })

  for (const [how, cut] of [
    ['in one piece', 0],
    ['in two', 40],
  ] as const) {
    test(`keeps the bytes of a column that came ${how}, whatever becomes of what it came in`, () => {
      const kept: Bytes[] = []
      const replies = new Replies(
        (come) => kept.push(come.first),
        () => {},
      )
      const one = row(long)
      for (const piece of [Buffer.from(one.subarray(0, cut)), Buffer.from(one.subarray(cut))]) {
        replies.take(piece)
        piece.fill(0)
      }
      assert.deepEqual(kept.map(textOf), [long])
    })
  }
})
