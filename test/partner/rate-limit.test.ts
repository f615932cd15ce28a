import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { parseRaw, sendRaw } from '../harness/raw.ts'
import { assertProblem } from '../harness/scenarios.ts'

const partner = (id: string, rate_limit?: string) => ({
  id,
  name: id,
  ...(rate_limit && { rate_limit }),
  grants: [{ facilities: ['f'], read: '*', write: '*', rooms: '*' }],
})
const estate = {
  facilities: [{ id_external: 'f', name: 'F', areas: [{ id: '1', name: 'One' }] }],
  partners: [
    partner('a'),
    partner('b'),
    partner('c'),
    partner('d'),
    partner('e'),
    partner('slow', '1/s burst 2'),
    partner('free', 'off'),
  ],
}
const settings = { ATRIUM_RATE_LIMIT: '0.001/s burst 10' }

onEachEngine('rate limit', { estate, settings }, (atrium) => {
  const remaining = (headers: Headers) => Number(/^"partner";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1])

  test('every response shows the remaining requests, then comes 429 with Retry-After', async () => {
    for (let left = 9; left >= 0; left--) {
      const answer = await atrium().ask('GET /v1/me', { as: 'a' })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('ratelimit-policy'), '"partner";q=10;w=10000')
      assert.equal(remaining(answer.headers), left)
    }
    const refused = await atrium().ask('GET /v1/me', { as: 'a' })
    assertProblem(refused, 429, 'rate_limited')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal(remaining(refused.headers), 0)
  })

  test('each token has its own limit', async () => {
    assert.equal((await atrium().ask('GET /v1/me', { as: 'b' })).status, 200)
  })

  test('a 304 costs nothing', async () => {
    const first = await atrium().ask('GET /v1/facilities/', { as: 'c' })
    const headers = { 'if-none-match': first.headers.get('etag') as string }
    for (let n = 0; n < 15; n++) {
      const again = await atrium().ask('GET /v1/facilities/', { as: 'c', headers })
      assert.deepEqual([again.status, remaining(again.headers)], [304, 9])
    }
  })

  test('refusals count, and every spelling of a route shares one bucket', async () => {
    const spellings = [
      '/v1/facilities/',
      '/v1/facilities',
      '/v1/facilities/f',
      '/v1/facilities/f/',
      '/v1/facilities/%66',
      '/v1/facilities/f?x=1',
      '/v1/facilities/hidden',
      '//v1',
      '/v1/areas/f-1',
      '/v1/me',
      '/v1/me/',
      '/v1/me?a=b',
    ]
    let admitted = 0
    for (const path of spellings) {
      const { status } = await atrium().ask(`GET ${path}`, {
        as: 'd',
        headers: { 'x-forwarded-for': path.length.toString() },
      })
      if (status !== 429 && path !== '//v1') admitted++
    }
    assert.equal(admitted, 10)
  })

  test('twelve spellings of one route share one bucket', async () => {
    const { url, tokens } = atrium()
    const spellings = [
      '/v1/facilities/f',
      '/v1/facilities/f/',
      '/v1/facilities/%66',
      '/v1/facilities/%66/',
      '/v1/%66acilities/f',
      '/%761/facilities/f',
      '/%76%31/f%61cilities/f/',
      '/v1/facilities/f?',
      '/v1/facilities/f/?x',
      '/v1/facilities/f?%78=1',
      'http://atrium/v1/facilities/f',
      'HTTP://ATRIUM/v1/facilities/f/',
    ]
    const statuses = []
    for (const target of spellings) {
      const lines = [`GET ${target} HTTP/1.1`, 'Host: atrium', `Authorization: Bearer ${tokens.e}`]
      const sent = [...lines, `X-Forwarded-For: ${target.length}.0.0.1`, 'Connection: close', '', ''].join('\r\n')
      statuses.push(parseRaw(await sendRaw(url, sent, 10_000)).status)
    }
    assert.deepEqual(
      statuses.map((status) => status === 429),
      [...Array(10).fill(false), true, true],
      `${statuses}`,
    )
    assert.ok(!statuses.includes(404), 'each is a spelling of the route')
  })

  test('a partner can have its own limit, or none', async () => {
    const slow = await atrium().ask('GET /v1/me', { as: 'slow' })
    assert.equal(slow.headers.get('ratelimit-policy'), '"partner";q=2;w=2')
    assert.deepEqual(slow.body.rate_limit, { per_second: 1, burst: 2 })
    const free = await atrium().ask('GET /v1/me', { as: 'free' })
    assert.deepEqual([free.headers.get('ratelimit'), free.body.rate_limit], [null, null])
  })
})
