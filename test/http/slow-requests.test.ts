import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { parseRaw } from '../harness/raw.ts'

let atrium: TestAtrium
before(async () => {
  atrium = await startAtrium('sqlite')
})
after(() => atrium.stop())

/** Sends part of a request and waits until the server closes the connection. */
async function sendPart(text: string): Promise<string> {
  const socket = connect(Number(new URL(atrium.url).port), '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.write(text)
  await once(socket, 'close')
  return received
}

const rename = () =>
  [
    'PATCH /v1/facilities/lyon-01/name HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${atrium.tokens.everything}`,
    'Content-Type: application/json',
    'Content-Length: 50',
  ].join('\r\n')

describe('an incomplete request gets 408 and loses its connection', { concurrency: true }, () => {
  const parts: [string, () => string][] = [
    ['its headers do not end', () => `${rename()}\r\n`],
    ['its body does not end', () => `${rename()}\r\n\r\n{"val`],
  ]
  for (const [when, part] of parts) {
    test(when, async () => {
      const { status, body } = parseRaw(await sendPart(part()))
      assert.deepEqual([status, JSON.parse(body).code], [408, 'request_timeout'])
    })
  }

  test('but no second response if it was already refused', async () => {
    const received = await sendPart(`${rename().replace('Bearer', 'Basic')}\r\n\r\n{"val`)
    assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401'])
  })

  // Without an end of its own it would go on for another half minute.
  test('also if it continues byte by byte', { timeout: 45_000 }, async () => {
    const place = { port: Number(new URL(atrium.url).port), host: '127.0.0.1', allowHalfOpen: true }
    const socket = connect(place).resume()
    socket.write(`${rename()}\r\n\r\n{"val`)
    const sending = setInterval(() => socket.write('x'), 800).unref()
    await once(socket, 'end')
    const [error] = await once(socket, 'error')
    clearInterval(sending)
    assert.match(error.code, /ECONNRESET|EPIPE/)
  })
})
