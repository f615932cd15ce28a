import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { connectTo } from '../harness/connection.ts'
import { engines } from '../harness/databases.ts'
import { seed } from '../harness/seed.ts'

const body = '{"value":"Renamed"}'
const soonMs = 10_000

function head({ tokens }: TestAtrium, request: string, ...headers: string[]): string {
  const lines = [`${request} HTTP/1.1`, 'Host: atrium', `Authorization: Bearer ${tokens.everything}`, ...headers]
  return `${lines.join('\r\n')}\r\n\r\n`
}

for (const engine of engines) {
  describe(`stopping (${engine})`, () => {
    test('a request that is under way is answered, and its connection does not hold the server', async () => {
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

    test('an answer that is still being read is not cut off, and /readyz says that the node is stopping', async () => {
      // More than the buffers between the two ends can hold.
      const name = '\u{1f6cf}'.repeat(255)
      const entries = Array.from({ length: 10_000 }, (_, n) => ({ id: `${n}`, name }))
      const facilities = [{ id_external: 'lyon-01', areas_autocomplete_list: entries }]
      const atrium = await startAtrium(engine)
      await seed(atrium.service.db, { facilities })
      const reader = connect(Number(new URL(atrium.url).port), '127.0.0.1')
      reader.write(head(atrium, 'GET /v1/facilities/lyon-01/areas_autocomplete_list'))
      const [first] = await once(reader, 'data')
      let bytes = first.length
      reader.pause()
      const expected = Number(/content-length: (\d+)/i.exec(first.toString())?.[1])
      const stopped = atrium.stop()
      assert.equal((await atrium.ask('GET /readyz')).status, 503)
      reader.on('data', (chunk) => {
        bytes += chunk.length
      })
      reader.resume()
      await Promise.all([once(reader, 'close'), stopped])
      assert.ok(bytes > expected && expected > 10_000_000, `${bytes} of ${expected}`)
    })

    test('a connection that is kept alive without a request is closed at once', async () => {
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
