import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { type Connection, connectTo } from '../harness/connection.ts'

const services = '/v1/areas/chu-nord-214/data_services'
const announced = 'Content-Length: 1000'

/** Requests that are refused by their head alone: the body is never sent. */
const refused: { when: string; request: string; as?: string; headers?: string[]; status: number }[] = [
  { when: 'there is no such route', request: 'POST /v1/nothing', as: 'ward', status: 404 },
  { when: 'the method is wrong', request: `TRACE ${services}`, as: 'ward', status: 405 },
  { when: 'there is no token', request: `POST ${services}`, status: 401 },
  { when: 'the token is unknown', request: `POST ${services}`, as: 'wrong', status: 401 },
  { when: 'the facility is hidden', request: 'PATCH /v1/facilities/nice-02/name', as: 'ward', status: 403 },
  { when: 'the area is hidden', request: 'POST /v1/areas/nice-02-A-1/data_services', as: 'ward', status: 404 },
  { when: 'services are not granted', request: `POST ${services}`, as: 'bare', status: 403 },
  { when: 'the name is not granted', request: 'PATCH /v1/facilities/chu-nord/name', as: 'ward', status: 403 },
  {
    when: 'the list is not granted',
    request: 'PATCH /v1/facilities/chu-nord/areas_autocomplete_list',
    as: 'ward',
    status: 403,
  },
  {
    when: 'the installation has none',
    request: 'POST /v1/areas/lyon-01-2/data_services',
    as: 'everything',
    status: 403,
  },
  { when: 'the ETag is stale', request: `POST ${services}`, as: 'ward', headers: ['If-Match: "stale"'], status: 412 },
  {
    when: 'the key is not valid',
    request: `POST ${services}`,
    as: 'ward',
    headers: ['Idempotency-Key: é'],
    status: 400,
  },
  { when: 'a parameter is not known', request: `POST ${services}?x=1`, as: 'ward', status: 400 },
  {
    when: 'the type is not JSON',
    request: `POST ${services}`,
    as: 'ward',
    headers: ['Content-Type: text/plain'],
    status: 415,
  },
]

onEachEngine('a body is not read for a caller who is refused', {}, (atrium) => {
  const head = (request: string, as: string | undefined, ...headers: string[]) => {
    const lines = [`${request} HTTP/1.1`, 'Host: atrium', ...headers]
    if (as !== undefined) lines.push(`Authorization: Bearer ${atrium().tokens[as] ?? as}`)
    if (!headers.some((line) => line.startsWith('Content-Type'))) lines.push('Content-Type: application/json')
    return `${lines.join('\r\n')}\r\n\r\n`
  }
  const connected = async (work: (connection: Connection) => Promise<void>) => {
    const connection = await connectTo(atrium().url)
    try {
      await work(connection)
    } finally {
      connection.close()
    }
  }

  for (const { when, request, as, headers = [], status } of refused) {
    test(`${when}: ${status} at once, and the connection works on when the body arrives after all`, () =>
      connected(async (connection) => {
        connection.send(head(request, as, announced, ...headers))
        assert.equal((await connection.answer())?.status, status)
        connection.send(`{"value": "${'x'.repeat(986)}"}`.padEnd(1000).slice(0, 1000))
        connection.send(head('GET /v1/me', 'ward'))
        const next = await connection.answer()
        assert.equal(next?.status, 200)
        assert.equal(JSON.parse(next?.body ?? '').partner.id, 'ward')
      }))
  }

  test('a chunked body that never arrives is not awaited either', () =>
    connected(async (connection) => {
      connection.send(head(`POST ${services}`, 'bare', 'Transfer-Encoding: chunked'))
      assert.equal((await connection.answer())?.status, 403)
      connection.send('5\r\n{"val\r\n0\r\n\r\n')
      connection.send(head('GET /v1/me', 'bare'))
      assert.equal((await connection.answer())?.status, 200)
    }))

  test('pipelined requests get their responses in order', () =>
    connected(async (connection) => {
      const body = '{"value": "[]"}'
      const length = `Content-Length: ${body.length}`
      connection.send(
        [
          head(`POST ${services}`, 'bare', length) + body,
          head(`POST ${services}`, 'ward', length) + body,
          head('PATCH /v1/facilities/chu-nord/name', 'ward', length) + body,
          head('GET /v1/me', 'ward'),
        ].join(''),
      )
      const statuses = []
      for (let n = 0; n < 4; n++) statuses.push((await connection.answer())?.status)
      assert.deepEqual(statuses, [403, 200, 403, 200])
    }))

  test('the body of an allowed request is waited for, so the test can tell the difference', () =>
    connected(async (connection) => {
      const body = '{"value": "[]"}'
      connection.send(head(`POST ${services}`, 'ward', `Content-Length: ${body.length}`))
      assert.equal(await connection.answer(300), undefined)
      connection.send(body)
      assert.equal((await connection.answer())?.status, 200)
    }))
})
