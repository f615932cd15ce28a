import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Outbox } from '../../src/http/outbox.ts'

const head = 'HTTP/1.1 200 OK\r\n\r\n'
const server = createServer({ noDelay: true })

before(() => once(server.listen(0, '127.0.0.1'), 'listening'))
after(() => server.close())

/** Both ends of one connection. */
async function connection(): Promise<{ near: Socket; far: Socket }> {
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [near] = (await once(server, 'connection')) as [Socket]
  return { near, far }
}

async function bytesFrom(far: Socket, length: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let got = 0
  for await (const chunk of far as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    got += chunk.length
    if (got >= length) break
  }
  return Buffer.concat(chunks)
}

describe('an answer that is sent', () => {
  for (const length of [0, 1, 10_000, 65_536 - head.length, 65_537 - head.length, 200_000]) {
    test(`with a body of ${length} bytes arrives as it is`, async () => {
      const { near, far } = await connection()
      const body = Buffer.alloc(length, 'é')
      new Outbox().send(near, head, body)
      assert.deepEqual(await bytesFrom(far, head.length + length), Buffer.concat([Buffer.from(head), body]))
      near.destroy()
    })
  }

  for (const length of [10_000, 200_000]) {
    test(`of ${length} bytes arrives whole, also when its memory is given back`, async () => {
      const { near, far } = await connection()
      const body = Buffer.alloc(length, 'é')
      const expected = Buffer.concat([Buffer.from(head), body])
      new Outbox().send(near, head, body, true)
      assert.deepEqual(await bytesFrom(far, expected.length), expected)
      near.destroy()
    })
  }

  test('takes no memory any more once it is put together, when nobody else has it', async () => {
    const { near } = await connection()
    const [own, shared] = [Buffer.alloc(10_000), Buffer.alloc(10_000)]
    const outbox = new Outbox()
    outbox.send(near, head, own, true)
    outbox.send(near, head, shared)
    assert.deepEqual([own.buffer.byteLength, shared.buffer.byteLength], [0, 10_000])
    near.destroy()
  })

  test('may be overwritten at once, and others sent, to readers that take nothing for a while', async () => {
    const outbox = new Outbox()
    const bodyBytes = 30_000
    const readers = [await connection(), await connection(), await connection()]
    const sent = readers.map(() => [] as Buffer[])
    const place = Buffer.alloc(bodyBytes)
    // Far more than the system takes for a reader that does not read.
    for (let round = 0; round < 300; round++) {
      for (const [at, { near }] of readers.entries()) {
        place.fill(`${at} ${round} `)
        outbox.send(near, head, place)
        sent[at]?.push(Buffer.from(head), Buffer.from(place))
      }
    }
    assert.ok(readers.every(({ near }) => near.writableLength > 0))
    for (const [at, { near, far }] of readers.entries()) {
      const expected = Buffer.concat(sent[at] ?? [])
      assert.equal(Buffer.compare(await bytesFrom(far, expected.length), expected), 0)
      near.destroy()
    }
  })
})
