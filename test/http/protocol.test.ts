import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partnerEndpoints } from '../../src/http/partner/routes.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { parseRaw, sendRaw } from '../harness/raw.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { receiverOfSuite, someWebhook, webhookSettings } from '../harness/some-webhook.ts'
import { playground } from '../sandbox/fixture.ts'

const concrete = (path: string) =>
  path
    .replace('{facilityExternalId}', 'lyon-01')
    .replace('{areaExternalId}', 'chu-nord-214')
    .replace('{serviceId}', 'x')
const byPath = Map.groupBy(partnerEndpoints, ({ path }) => concrete(path))

onEachEngine('methods and paths', { settings: webhookSettings }, (atrium) => {
  const receiver = receiverOfSuite()
  for (const [path, endpoints] of byPath) {
    const allowed = endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) => !allowed.includes(method))
    for (const method of others) {
      test(`${method} ${path} is 405 before authentication`, async () => {
        for (const slash of [path.replace(/\/$/, ''), `${path.replace(/\/$/, '')}/`]) {
          const answer = await atrium().ask(`${method} ${slash}`)
          assertProblem(answer, 405, 'method_not_allowed')
          assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), allowed.toSorted())
        }
      })
    }
    if (!allowed.includes('HEAD')) continue
    test(`HEAD ${path} returns the head of GET`, async () => {
      const headers = { 'accept-encoding': 'identity' }
      const webhook = path.includes('{webhookId}') ? await someWebhook(atrium(), receiver()) : ''
      const target = path.replace('{webhookId}', webhook)
      const as = path === '/v1/sandbox' ? (await playground(atrium(), 'everything', ['lyon-01'])).token : 'everything'
      const get = await atrium().ask(`GET ${target}`, { as, headers })
      const head = await atrium().ask(`HEAD ${target}`, { as, headers })
      assert.deepEqual([head.status, head.text], [200, ''])
      for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary']) {
        assert.equal(head.headers.get(name), get.headers.get(name), name)
      }
      assert.equal((await atrium().ask(`HEAD ${path}`)).status, 401)
    })
  }

  for (const path of [
    '/',
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/facilities/lyon-01/nothing',
    '/v2/facilities',
    '/V1/facilities',
    '//v1/facilities',
  ]) {
    test(`GET ${path} is 404 without a token`, async () => {
      assertProblem(await atrium().ask(`GET ${path}`), 404, 'route_not_found')
    })
  }

  test('an unusual method on a known path is 405 too', async () => {
    const answer = parseRaw(
      await sendRaw(atrium().url, 'PROPFIND /v1/facilities HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    )
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'])
  })
})

for (const fast of ['on', 'off']) {
  onEachEngine(`unknown methods, fast path ${fast}`, { settings: { ATRIUM_FAST_HTTP: fast } }, (atrium) => {
    for (const method of ['FOO', 'get', 'Get', 'delete', 'GETT', 'HEADX']) {
      test(`${method} is refused with a reason`, async () => {
        const answer = parseRaw(await sendRaw(atrium().url, `${method} /v1/me HTTP/1.1\r\nHost: x\r\n\r\n`))
        assert.equal(answer.status, 400)
        assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json/)
        const { code, detail } = JSON.parse(answer.body)
        assert.deepEqual([code, /known HTTP method.*in capitals/.test(detail)], ['request_malformed', true])
      })
    }
  })
}

onEachEngine('request ids', {}, (atrium) => {
  for (const given of ['a', 'A-z_0.9', 'x'.repeat(128)]) {
    test(`${given.slice(0, 10)} is kept`, async () => {
      const answer = await atrium().ask('GET /v1/me', { as: 'ward', headers: { 'x-request-id': given } })
      assert.equal(answer.headers.get('x-request-id'), given)
    })
  }
  for (const given of ['x'.repeat(129), 'a b', 'a/b', '<b>', '']) {
    test(`${JSON.stringify(given.slice(0, 10))} is replaced, in successes and problems alike`, async () => {
      for (const path of ['/v1/me', '/nowhere']) {
        const answer = await atrium().ask(`GET ${path}`, { as: 'ward', headers: { 'x-request-id': given } })
        assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
      }
    })
  }
})

onEachEngine('bytes that are no request', {}, (atrium) => {
  const authorization = () => `Authorization: Bearer ${atrium().tokens.ward}`
  const cases: [string, () => string, number, string][] = [
    [
      'a bad percent-encoding',
      () => `GET /v1/facilities/%zz HTTP/1.1\r\nHost: x\r\n${authorization()}\r\n\r\n`,
      400,
      'request_malformed',
    ],
    ['no HTTP at all', () => 'hello\r\n\r\n', 400, 'request_malformed'],
    ['no Host', () => `GET /v1/me HTTP/1.1\r\n${authorization()}\r\n\r\n`, 400, 'request_malformed'],
    [
      'two Hosts',
      () => `GET /v1/me HTTP/1.1\r\nHost: x\r\nHost: y\r\n${authorization()}\r\n\r\n`,
      400,
      'header_repeated',
    ],
    [
      'two tokens',
      () => `GET /v1/me HTTP/1.1\r\nHost: x\r\n${authorization()}\r\nauthorization: Bearer x\r\n\r\n`,
      400,
      'header_repeated',
    ],
    [
      'two keys',
      () =>
        `POST /v1/areas/chu-nord-214 HTTP/1.1\r\nHost: x\r\n${authorization()}\r\nIdempotency-Key: a\r\nIdempotency-Key: a\r\nContent-Length: 0\r\n\r\n`,
      400,
      'header_repeated',
    ],
    [
      'two content types',
      () =>
        `POST /v1/areas/chu-nord-214/data_services HTTP/1.1\r\nHost: x\r\n${authorization()}\r\nContent-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`,
      400,
      'header_repeated',
    ],
    [
      'headers beyond 64 KiB',
      () => `GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'length and chunks at once',
      () => `POST /v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'request_malformed',
    ],
  ]
  for (const [when, bytes, status, code] of cases) {
    test(`${when}: ${status} ${code}, and nothing is echoed`, async () => {
      const answer = parseRaw(await sendRaw(atrium().url, bytes()))
      assert.equal(answer.status, status)
      assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json/)
      const body = JSON.parse(answer.body)
      assert.deepEqual([body.code, body.status, body.request_id], [code, status, answer.headers['x-request-id']])
      for (const secret of [atrium().tokens.ward as string, '%zz', 'xxxxxxxx']) assert.ok(!answer.body.includes(secret))
    })
  }

  for (const target of [
    'http://x/v1/facilities',
    'HTTP://X/v1/facilities',
    '/%761/facilities',
    '/v1/%66acilities',
    '/v1/facilities;x',
    '/v1/../v1/facilities',
    '*',
  ]) {
    test(`GET ${target} does not bypass authentication`, async () => {
      const { status } = parseRaw(
        await sendRaw(atrium().url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      )
      assert.ok(status === 401 || status === 404 || status === 400, `${status}`)
    })
  }

  for (const path of [
    '/v1/facilities//',
    '/v1/facilities//name',
    '/v1/areas//',
    '/v1/areas//data_services',
    '/v1//me',
  ]) {
    test(`an empty path segment is not an id: ${path}`, async () => {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        for (const as of [undefined, 'everything', 'bare']) {
          const answer = await atrium().ask(`${method} ${path}`, as === undefined ? {} : { as })
          assertProblem(answer, 404, 'route_not_found')
        }
      }
      // A request line that the fast path leaves to Node.
      const odd = { as: 'bare', headers: { te: 'trailers' } }
      assertProblem(await atrium().ask(`GET ${path}`, odd), 404, 'route_not_found')
    })
  }

  for (const path of ['/', '/v1', '/v1/', '/v2/facilities']) {
    test(`GET ${path} names the page that lists the routes`, async () => {
      const answer = await atrium().ask(`GET ${path}`)
      assertProblem(answer, 404, 'route_not_found')
      assert.match(answer.body.detail, /\/docs/)
    })
  }

  test('an invalid percent-encoding is explained', async () => {
    const answer = await atrium().ask('GET /v1/areas/%', { as: 'everything' })
    assertProblem(answer, 400, 'request_malformed')
    assert.match(answer.body.detail, /two hexadecimal digits/)
  })

  for (const query of ['%', '%2', '%zz', '%E9', '%C0%80', '%ED%A0%80']) {
    test(`?q=${query} is refused and explained`, async () => {
      for (const path of ['/v1/facilities', '/v1/facilities/lyon-01', '/v1/me']) {
        const answer = await atrium().ask(`GET ${path}?q=${query}`, { as: 'everything' })
        assertProblem(answer, 400, 'parameter_invalid')
        assert.match(answer.body.detail, /query is not percent-encoded UTF-8.*two hexadecimal digits/)
      }
    })
  }

  test('a malformed HEAD is refused without a body', async () => {
    const head = parseRaw(await sendRaw(atrium().url, 'HEAD /v1/me HTTP/9.9\r\nHost: x\r\n\r\n'))
    assert.deepEqual([head.status, head.body], [400, ''])
    const get = parseRaw(await sendRaw(atrium().url, 'GET /v1/me HTTP/9.9\r\nHost: x\r\n\r\n'))
    assert.equal(get.headers['content-length'], String(get.body.length))
  })

  test('Proxy-Connection: close means the same on the fast path and in Node', async () => {
    const lines = ['Host: x', `Authorization: Bearer ${atrium().tokens.everything}`, 'Proxy-Connection: close']
    const answer = parseRaw(await sendRaw(atrium().url, `GET /v1/me HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`))
    assert.deepEqual([answer.status, answer.headers.connection], [200, 'close'])
  })

  test('a long id is an unknown id, not an error of its own', async () => {
    assertProblem(await atrium().ask(`GET /v1/areas/${'x'.repeat(5000)}`, { as: 'ward' }), 404, 'area_not_found')
  })
})
