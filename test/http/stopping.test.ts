import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { connectTo } from '../harness/connection.ts'
import { engines } from '../harness/databases.ts'
import { seed } from '../harness/seed.ts'

const body = '{"value":"Renamed"}'
/** Less than the keep-alive timeout. */
const soonMs = 30_000

function head({ tokens }: TestAtrium, request: string, ...headers: string[]): string {
  const lines = [`${request} HTTP/1.1`, 'Host: atrium', `Authorization: Bearer ${tokens.everything}`, ...headers]
  return `${lines.join('\r\n')}\r\n\r\n`
}

for (const engine of engines) {
  describe(`stopping (${engine})`, () => {
    test('a pending request is completed, and its connection does not delay the stop', async () => {
      const atrium = await startAtrium(engine)
      const connection = await connectTo(atrium.url)
      const length = `Content-Length: ${body.length}`
      connection.send(head(atrium, 'PATCH /v1/facilities/lyon-01/name', 'Content-Type: application/json', length))
      assert.equal(await connection.answer(200), undefined)
      const stoppedAtMs = performance.now()
      const stopped = atrium.stop()
      connection.send(body)
      const answer = await connection.answer()
      assert.deepEqual([answer?.status, answer?.headers.connection], [200, 'close'])
      await stopped
      assert.ok(performance.now() - stoppedAtMs < soonMs)
      connection.close()
    })

    test('a response that is still being read is completed, and /readyz reports that the node is stopping', async () => {
      // More than the socket buffers of both ends hold.
      const name = '\u{1f6cf}'.repeat(255)
      const entries = Array.from({ length: 10_000 }, (_, n) => ({ id: `${n}`, name }))
      const facilities = [{ id_external: 'lyon-01', areas_autocomplete_list: entries }]
      const atrium = await startAtrium(engine, { settings: { ATRIUM_DRAIN_SECONDS: '2' } })
      await seed(atrium.service.db, { facilities })
      const reader = connect(Number(new URL(atrium.url).port), '127.0.0.1')
      reader.write(head(atrium, 'GET /v1/facilities/lyon-01/areas_autocomplete_list'))
      const [first] = await once(reader, 'data')
      let bytes = first.length
      reader.pause()
      const expected = Number(/content-length: (\d+)/i.exec(first.toString())?.[1])
      assert.equal((await atrium.ask('GET /readyz')).status, 200)
      const stopped = atrium.stop()
      const [ready, other] = await Promise.all([atrium.ask('GET /readyz'), atrium.ask('GET /v1/me', { as: 'ward' })])
      assert.deepEqual([ready.status, other.status, other.headers.get('connection')], [503, 200, 'close'])
      reader.on('data', (chunk) => {
        bytes += chunk.length
      })
      reader.resume()
      await Promise.all([once(reader, 'close'), stopped])
      assert.ok(bytes > expected && expected > 10_000_000, `${bytes} of ${expected}`)
    })

    test('a stuck client does not delay the stop', async () => {
      const atrium = await startAtrium(engine)
      const connections = await Promise.all(Array.from({ length: 4 }, () => connectTo(atrium.url)))
      const [heading, sending, silent, waiting] = connections
      heading?.send('GET /v1/me HTTP/1.1\r\nHost: ')
      sending?.send(
        head(atrium, 'PATCH /v1/facilities/lyon-01/name', 'Content-Type: application/json', 'Content-Length: 9'),
      )
      waiting?.send(head(atrium, 'GET /v1/me'))
      assert.equal((await waiting?.answer())?.status, 200)
      assert.equal(await silent?.answer(1500), undefined)
      const stoppedAtMs = performance.now()
      await atrium.stop()
      assert.ok(performance.now() - stoppedAtMs < soonMs)
      for (const connection of connections) connection.close()
    })

    test('an idle keep-alive connection is closed at once', async () => {
      const atrium = await startAtrium(engine)
      const connection = await connectTo(atrium.url)
      connection.send(head(atrium, 'GET /v1/me'))
      assert.equal((await connection.answer())?.headers.connection, 'keep-alive')
      const stoppedAtMs = performance.now()
      await atrium.stop()
      assert.ok(performance.now() - stoppedAtMs < soonMs)
      connection.close()
    })
  })
}
