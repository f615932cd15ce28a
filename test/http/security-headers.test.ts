import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { connectTo } from '../harness/connection.ts'
import type { RawAnswer } from '../harness/raw.ts'

const origin = 'https://portal.example'
let atrium: TestAtrium
before(async () => {
  atrium = await startAtrium('sqlite', { settings: { ATRIUM_CORS_ORIGINS: origin } })
})
after(() => atrium.stop())

async function send(...lines: string[]): Promise<RawAnswer> {
  const connection = await connectTo(atrium.url)
  connection.send(`${lines.join('\r\n')}\r\n\r\n`)
  const answer = await connection.answer()
  connection.close()
  assert.ok(answer, 'a response came')
  return answer
}

const token = () => `Authorization: Bearer ${atrium.tokens.everything}`

function assertHeaders({ headers }: RawAnswer, policy: RegExp): void {
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
  assert.equal(headers['strict-transport-security'], undefined, 'this is not TLS')
  assert.match(headers['content-security-policy'] ?? '', policy)
  assert.match(headers['content-security-policy'] ?? '', /frame-ancestors 'none'/)
}

const host = 'Host: atrium'
const facility = 'GET /v1/facilities/lyon-01 HTTP/1.1'
const data = /^default-src 'none'; frame-ancestors 'none'$/

describe('every response forbids browsers to run, frame or embed it', { concurrency: true }, () => {
  const answers: [string, () => string[], number][] = [
    ['a response that is computed', () => ['GET /v1/me HTTP/1.1', host, token()], 200],
    ['a cached response', () => [facility, host, token()], 200],
    ['a response without changes', () => [facility, host, token(), 'If-None-Match: *'], 304],
    ['a response to a request that the fast path leaves to Node', () => [facility, host, token(), 'X-Empty:'], 200],
    ['a refusal', () => [facility, host], 401],
    ['a refusal of a request that the fast path leaves to Node', () => [facility, host, 'X-Empty:'], 401],
    ['a change', () => ['POST /v1/areas/chu-nord-214 HTTP/1.1', host, token(), 'Content-Length: 0'], 200],
    [
      'a preflight',
      () => ['OPTIONS /v1/me HTTP/1.1', host, `Origin: ${origin}`, 'Access-Control-Request-Method: GET'],
      204,
    ],
    ['no route', () => ['GET /nowhere HTTP/1.1', host], 404],
    ['another method', () => ['PUT /v1/me HTTP/1.1', host], 405],
    ['a path that cannot be read', () => ['GET /v1/%zz HTTP/1.1', host], 400],
    ['a repeated header', () => ['GET /v1/me HTTP/1.1', host, host], 400],
    ['no request at all', () => ['hello'], 400],
    ['a tunnel', () => ['CONNECT elsewhere:443 HTTP/1.1', host], 400],
    ['too long a head', () => ['GET /v1/me HTTP/1.1', host, `X-Long: ${'x'.repeat(70_000)}`], 431],
    ['health', () => ['GET /healthz HTTP/1.1', host], 200],
    ['readiness', () => ['GET /readyz HTTP/1.1', host], 200],
    ['metrics', () => ['GET /metrics HTTP/1.1', host], 200],
    ['the OpenAPI document', () => ['GET /openapi.json HTTP/1.1', host], 200],
    ['a style sheet', () => ['GET /assets/atrium.css HTTP/1.1', host], 200],
    ['a problem without a page', () => ['GET /problems/none HTTP/1.1', host], 404],
  ]
  for (const [what, lines, status] of answers) {
    test(what, async () => {
      // The second response comes from the cache, where there is one.
      for (let times = 1; times <= 2; times++) {
        const answer = await send(...lines())
        assert.equal(answer.status, status)
        assertHeaders(answer, data)
        assert.equal(answer.headers['permissions-policy'], undefined)
        assert.notEqual(answer.headers['x-request-id'] ?? '', '')
      }
    })
  }

  for (const path of [
    '/docs',
    '/docs/try',
    '/docs/guides',
    '/docs/guides/errors',
    '/problems',
    '/problems/not_granted',
  ]) {
    test(`the page ${path} has a policy of its own`, async () => {
      const answer = await send(`GET ${path} HTTP/1.1`, host)
      assert.equal(answer.status, 200)
      assertHeaders(answer, /^default-src 'none'; .*style-src 'self'/)
      assert.match(answer.headers['permissions-policy'] ?? '', /camera=\(\)/)
    })
  }
})
