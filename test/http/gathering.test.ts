import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gatheringStream } from '../../src/http/observability/log.ts'

/** Takes what it is given at once, or holds it for a while, and keeps what it was by then. */
function taker(delayMs: number): { out: Writable; pieces: string[] } {
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
  test(`lines leave in order, many at once and each once, to whom takes them ${delayMs ? 'later' : 'at once'}`, async () => {
    const { out, pieces } = taker(delayMs)
    const stream = gatheringStream(out)
    for (const line of lines) stream.write(line)
    await sleep(150)
    while (out.writableLength > 0) await sleep(5)
    assert.equal(pieces.join(''), lines.join(''))
    assert.ok(pieces.length < lines.length / 10, `${pieces.length} pieces`)
  })
}

test('nothing is held for longer than a moment', async () => {
  const { out, pieces } = taker(0)
  gatheringStream(out).write('alone\n')
  assert.deepEqual(pieces, [])
  await sleep(300)
  assert.deepEqual(pieces, ['alone\n'])
})
