import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { batchingStream } from '../../src/http/observability/log.ts'

/** Returns a stream that handles each write after `delayMs`, and records the bytes as they are by then. */
function recorder(delayMs: number): { out: Writable; pieces: string[] } {
  const pieces: string[] = []
  const out = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      const take = () => {
        pieces.push(piece.toString())
        done()
      }
      if (delayMs === 0) take()
      else setTimeout(take, delayMs)
    },
  })
  return { out, pieces }
}

const lines = Array.from(
  { length: 2000 },
  (_, n) => `${n} ${'é€😀x'.repeat(n % 13)}${n % 500 === 7 ? 'ü'.repeat(20_000) : ''}\n`,
)

for (const delayMs of [0, 3]) {
  test(`lines are written once, in order and in batches to a ${delayMs ? 'slow' : 'fast'} stream`, async () => {
    const { out, pieces } = recorder(delayMs)
    const stream = batchingStream(out)
    for (const line of lines) stream.write(line)
    await sleep(150)
    while (out.writableLength > 0) await sleep(5)
    assert.equal(pieces.join(''), lines.join(''))
    assert.ok(pieces.length < lines.length / 10, `${pieces.length} pieces`)
  })
}

test('a single line is written after a short delay', async () => {
  const { out, pieces } = recorder(0)
  batchingStream(out).write('alone\n')
  assert.deepEqual(pieces, [])
  await sleep(300)
  assert.deepEqual(pieces, ['alone\n'])
})
