import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { connectTo } from '../harness/connection.ts'
import { engines } from '../harness/databases.ts'

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
