import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase } from '../harness/databases.ts'
import { type HaProxy, startHaProxy } from '../harness/haproxy.ts'
import { freePort } from '../harness/postgres-program.ts'
import { startNode } from '../torture/node.ts'
import { root } from '../torture/plant.ts'

describe('haproxy.cfg, with HAProxy itself', () => {
  let balancer: HaProxy
  let nodePort: number
  before(async () => {
    nodePort = await freePort()
    balancer = await startHaProxy([`${nodePort}`])
  })
  after(() => balancer.end())

  test('responds like a node that is not ready when there is none', async () => {
    const headers = { 'x-request-id': 'night-7' }
    const answer = await until(balancer.url, '/v1/me?"a"', headers, 503)
    assert.equal(answer.headers.get('content-type'), 'application/problem+json')
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.equal(answer.headers.get('x-request-id'), 'night-7')
    assert.deepEqual(await answer.json(), {
      type: '/problems/not_ready',
      title: 'Not ready',
      status: 503,
      detail: 'No node can respond at the moment.',
      instance: '/v1/me',
      code: 'not_ready',
      request_id: 'night-7',
    })
  })

  test('stays a document whatever is in the path and the request id', async () => {
    for (const id of ['a"b', 'x'.repeat(200), 'a b']) {
      const answer = await until(balancer.url, `/v1/"\\%22`, { 'x-request-id': id }, 503)
      const { instance, request_id: given } = (await answer.json()) as Record<string, string>
      assert.match(given ?? '', /^[0-9a-f-]{36}$/)
      assert.equal(answer.headers.get('x-request-id'), given)
      assert.ok(instance?.startsWith('/v1/'))
    }
  })

  test('leads to a node once it is ready, which keeps the request id', async () => {
    const database = await freshDatabase('sqlite')
    const node = await startNode(root, { settings: { ATRIUM_DATABASE: database.url, ATRIUM_PORT: `${nodePort}` } })
    try {
      const answer = await until(balancer.url, '/v1/me', { 'x-request-id': 'night-8' }, 401)
      assert.equal(answer.headers.get('x-request-id'), 'night-8')
    } finally {
      await node.end()
      await database.drop()
    }
  })
})

/** HAProxy notices after a moment that a node has started or stopped. */
async function until(url: string, path: string, headers: Record<string, string>, status: number): Promise<Response> {
  for (;;) {
    const answer = await fetch(url + path, { headers })
    if (answer.status === status) return answer
    await answer.body?.cancel()
    await sleep(50)
  }
}
