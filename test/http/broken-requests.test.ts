import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { connectTo } from '../harness/connection.ts'
import { addOperator } from '../harness/operators.ts'
import { parseRaw } from '../harness/raw.ts'
import { seed } from '../harness/seed.ts'

const chunked = 'Transfer-Encoding: chunked'
const json = 'Content-Type: application/json'
const badChunk = 'zz\r\nabc\r\n'
const tunnel = 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n'
const room = '/v1/areas/chu-nord-214/'

/** A request in which TOKEN stands for the credentials. */
const request = (line: string, ...lines: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: x', 'Authorization: TOKEN', ...lines].join('\r\n')}\r\n\r\n`
const open = request(`POST ${room}`, 'Content-Length: 0')

/** What is sent, in order with the statuses of the responses that are awaited in between. */
type Exchange = (string | number)[]

/** Exchanges after which the connection is closed, and whether the room is then in another cycle. */
const rows: [string, boolean, Exchange][] = [
  ['a tunnel behind an opening', true, [open + tunnel, 200, 400]],
  ['a tunnel behind two openings', true, [open + open + tunnel, 200, 200, 400]],
  ['a bad chunk behind an opening', true, [`${open}${request('PATCH /v1/nowhere', chunked)}${badChunk}`, 200, 404]],
  ['no HTTP behind an opening', true, [`${open}hello\r\n\r\n`, 200, 400]],
  [
    'no HTTP behind an opening that closes',
    true,
    [`${request(`POST ${room}`, 'Connection: close')}hello\r\n\r\n`, 200],
  ],
  ['an opening with a bad chunk', true, [request(`POST ${room}`, chunked) + badChunk, 200]],
  ['a bad chunk after the response of an opening', true, [request(`POST ${room}`, chunked), 200, badChunk]],
  ['a bad chunk after a 401', false, [request('GET /v1/me', chunked).replace('TOKEN', 'x'), 401, badChunk]],
  ['a bad chunk after a 404', false, [request('PATCH /v1/nowhere', chunked), 404, badChunk]],
  ['a bad chunk after a 200', false, [request('GET /v1/me', chunked), 200, badChunk]],
  ['a bad chunk that is read', false, [request('PATCH /v1/facilities/lyon-01/name', json, chunked) + badChunk, 400]],
  ...['GET', 'POST', 'DELETE'].map((method): [string, boolean, Exchange] => [
    `${method} with an unknown encoding`,
    false,
    [request(`${method} ${room}`, 'Transfer-Encoding: x'), 400],
  ]),
]

for (const fast of ['on', 'off']) {
  onEachEngine(`requests with invalid bytes, fast path ${fast}`, { settings: { ATRIUM_FAST_HTTP: fast } }, (atrium) => {
    const authorized = (text: string) => text.replaceAll('TOKEN', `Bearer ${atrium().tokens.everything}`)

    for (const [when, isOpened, exchange] of rows) {
      test(`${when}: one response for each request`, async () => {
        const before = await cycleOf(atrium())
        const connection = await connectTo(atrium().url)
        for (const step of exchange) {
          if (typeof step === 'string') connection.send(authorized(step))
          else assert.equal((await connection.answer())?.status, step)
        }
        assert.equal(await connection.answer(), undefined)
        assert.equal((await cycleOf(atrium())) !== before, isOpened)
      })
    }

    test('a long response goes on although a tunnel follows it', async () => {
      const entries = Array.from({ length: 10_000 }, (_, n) => ({ id: `${n}`, name: 'x'.repeat(255) }))
      await seed(atrium().service.db, { facilities: [{ id_external: 'lyon-01', areas_autocomplete_list: entries }] })
      const { key } = await addOperator(atrium(), 'admin', 'exporter')
      const received = await sendInTurn(atrium().url, [
        request('GET /cms/v1/export').replace('TOKEN', `Bearer ${key}`) + tunnel,
      ])
      assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400'])
      assert.ok(received.length > 2_550_000)
    })

    test('a bad chunk in a file that is received: 400', async () => {
      const { key } = await addOperator(atrium(), 'admin')
      const head = request('POST /cms/v1/import?dry_run=true', 'Content-Type: application/yaml', chunked)
      const received = await sendInTurn(atrium().url, [
        head.replace('TOKEN', `Bearer ${key}`),
        'a\r\nfacilities\r\n',
        badChunk,
      ])
      assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 400'])
      assert.equal(parseRaw(received).headers.connection, 'close')
    })
  })
}

async function cycleOf({ ask }: TestAtrium): Promise<string | null> {
  return (await ask(`GET ${room}`, { as: 'everything' })).body.cycle
}

/** Sends each piece once the one before has arrived, and reads until the server closes the connection. */
async function sendInTurn(url: string, pieces: string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay()
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  for (const piece of pieces) {
    socket.write(piece, 'latin1')
    // A response on another connection shows that the server has read what was sent before.
    if (pieces.length > 1) await fetch(`${url}/healthz`)
  }
  if (!socket.closed) await once(socket, 'close')
  return received
}
