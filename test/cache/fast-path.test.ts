import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestAtrium } from '../harness/atrium.ts'
import { connectTo } from '../harness/connection.ts'
import { estate as standard } from '../harness/estate.ts'
import type { RawAnswer } from '../harness/raw.ts'
import { onNodes } from './nodes.ts'

const many = Array.from({ length: 30 }, (_, n) => ({ id: `${n}`, name: `Room ${n}` }))
const estate = {
  ...standard,
  facilities: [...standard.facilities, { id_external: 'big', name: 'Big', areas: many, areas_autocomplete_list: many }],
}
const paths = [
  '/v1/facilities/',
  '/v1/facilities/lyon-01/',
  '/v1/facilities/big/areas',
  '/v1/facilities/big/areas_autocomplete_list',
]

const request = (line: string, ...headers: string[]) => `${[line, ...headers].join('\r\n')}\r\n\r\n`
const host = 'Host: atrium'
type Make = (path: string, authorization: string, etag: string) => string | string[]
const get =
  (...more: string[]): Make =>
  (path, authorization) =>
    request(`GET ${path} HTTP/1.1`, host, authorization, ...more)

/** Reads in forms that servers are known to handle wrongly. Each piece is sent as a separate packet. */
const forms: [string, Make, number?][] = [
  ['plain', get()],
  ['twice on one connection', (...given) => [get()(...given) as string, get()(...given) as string], 2],
  ['two in one packet', (...given) => `${get()(...given)}${get()(...given)}`, 2],
  [
    'a change behind it in one packet',
    (path, authorization) =>
      get()(path, authorization, '') +
      request('DELETE /v1/areas/nowhere HTTP/1.1', host, authorization, 'Content-Length: 0'),
    2,
  ],
  [
    'a head in two pieces',
    (path, authorization) => [`GET ${path} HTTP/1.1\r\nHos`, `t: atrium\r\n${authorization}\r\n\r\n`],
  ],
  [
    'a head whose end comes later',
    (path, authorization) => [`GET ${path} HTTP/1.1\r\n${host}\r\n${authorization}\r\n`, '\r\n'],
  ],
  ['gzip', get('Accept-Encoding: gzip')],
  ['an encoding that is not known', get('Accept-Encoding: compress, deflate')],
  ['weighed encodings', get('Accept-Encoding: zstd;q=0, br;q=0.5, gzip;q=0.1')],
  ['the tag that it has', (path, authorization, etag) => get(`If-None-Match: ${etag}`)(path, authorization, etag)],
  [
    'tags with the one it has',
    (path, authorization, etag) => get(`If-None-Match: "a", W/${etag}`)(path, authorization, etag),
  ],
  ['any tag', get('If-None-Match: *')],
  ['another tag', get('If-None-Match: "a"')],
  [
    'tags in two headers',
    (path, authorization, etag) => get('If-None-Match: "a"', `If-None-Match: ${etag}`)(path, authorization, etag),
  ],
  ['a request id', get('X-Request-Id: abc.DEF-1_2')],
  ['a request id of no use', get('X-Request-Id: a b')],
  ['two request ids', get('X-Request-Id: a', 'X-Request-Id: b')],
  ['two tokens', (path, authorization) => request(`GET ${path} HTTP/1.1`, host, authorization, authorization)],
  ['two hosts', get('Host: other')],
  ['no host', (path, authorization) => request(`GET ${path} HTTP/1.1`, authorization)],
  [
    'bearer in small letters',
    (path, authorization) => request(`GET ${path} HTTP/1.1`, host, authorization.replace('Bearer', 'bearer')),
  ],
  [
    'two spaces before the token',
    (path, authorization) => request(`GET ${path} HTTP/1.1`, host, authorization.replace('Bearer', 'Bearer ')),
  ],
  ['a space after the token', (path, authorization) => request(`GET ${path} HTTP/1.1`, host, `${authorization} `)],
  ['something after the token', (path, authorization) => request(`GET ${path} HTTP/1.1`, host, `${authorization} x`)],
  [
    'header names in capitals',
    (path, authorization) =>
      request(`GET ${path} HTTP/1.1`, 'HOST: atrium', authorization.replace('Authorization', 'AUTHORIZATION')),
  ],
  [
    'no space after the colon',
    (path, authorization) => request(`GET ${path} HTTP/1.1`, 'Host:atrium', authorization.replace(': ', ':')),
  ],
  ['a tab after the colon', (path, authorization) => request(`GET ${path} HTTP/1.1`, 'Host:\tatrium', authorization)],
  ['a folded header', get('X-Folded: a\r\n b')],
  ['a header without a name', get(': x')],
  ['a space before a colon', get('Content-Length : 5')],
  ['lines that end with LF only', (path, authorization) => `GET ${path} HTTP/1.1\n${host}\n${authorization}\n\n`],
  ['bytes above ASCII in a header', get('X-Name: caf\u00e9')],
  ['an empty header', get('X-Empty:')],
  ['a body', (...given) => `${get('Content-Type: application/json', 'Content-Length: 2')(...given)}{}`],
  ['a length of nothing', get('Content-Length: 0')],
  ['two lengths', get('Content-Length: 0', 'Content-Length: 5')],
  ['a chunked body', (...given) => `${get('Transfer-Encoding: chunked')(...given)}0\r\n\r\n`],
  ['length and chunks', (...given) => `${get('Content-Length: 5', 'Transfer-Encoding: chunked')(...given)}0\r\n\r\n`],
  ['an expectation', get('Expect: 100-continue'), 2],
  ['an upgrade', get('Connection: Upgrade', 'Upgrade: h2c')],
  ['the wish to close', get('Connection: close')],
  ['the wish to keep', get('Connection: keep-alive')],
  ['the wish to close, and more', get('Connection: keep-alive, close')],
  ['two wishes', get('Connection: keep-alive', 'Connection: close')],
  ['an origin', get('Origin: https://elsewhere.example')],
  ['If-Match', get('If-Match: "a"')],
  ['a range', get('Range: bytes=0-1')],
  ['HTTP/1.0', (path, authorization) => request(`GET ${path} HTTP/1.0`, host, authorization)],
  [
    'HTTP/1.0 that would stay',
    (path, authorization) => request(`GET ${path} HTTP/1.0`, host, authorization, 'Connection: keep-alive'),
  ],
  ['HTTP/1.2', (path, authorization) => request(`GET ${path} HTTP/1.2`, host, authorization)],
  ['the other slash form', (path, ...rest) => get()(path.endsWith('/') ? path.slice(0, -1) : `${path}/`, ...rest)],
  ['two slashes', (path, ...rest) => get()(`${path}//`, ...rest)],
  ['an empty query', (path, ...rest) => get()(`${path}?`, ...rest)],
  ['a query', (path, ...rest) => get()(`${path}?limit=2`, ...rest)],
  ['a parameter that is not known', (path, ...rest) => get()(`${path}?x=1`, ...rest)],
  ['a fragment', (path, ...rest) => get()(`${path}#x`, ...rest)],
  ['an escaped letter', (path, ...rest) => get()(path.replace('facilities', 'f%61cilities'), ...rest)],
  ['an escaped id', (path, ...rest) => get()(path.replace('/big', '/b%69g').replace('/lyon', '/ly%6fn'), ...rest)],
  ['a whole URL', (path, ...rest) => get()(`http://atrium${path}`, ...rest)],
  ['capitals in the path', (path, ...rest) => get()(path.toUpperCase(), ...rest)],
  ['a dot in the path', (path, ...rest) => get()(path.replace('/v1/', '/v1/./'), ...rest)],
  [
    'an unknown token',
    (path) => request(`GET ${path} HTTP/1.1`, host, `Authorization: Bearer atr_00000000_${'0'.repeat(49)}`),
  ],
  ['no token', (path) => request(`GET ${path} HTTP/1.1`, host)],
  ['a head of 5,000 bytes', get(`X-Long: ${'x'.repeat(5000)}`)],
  ['nonsense', () => 'nonsense\r\n\r\n'],
  ['an empty line first', (...given) => `\r\n${get()(...given)}`],
]

async function answersOf(node: TestAtrium, sent: string | string[], count: number): Promise<(RawAnswer | undefined)[]> {
  const connection = await connectTo(node.url)
  const answers = []
  for (const piece of [sent].flat()) {
    connection.send(piece)
    await sleep(20)
  }
  for (let at = 0; at < count; at++) answers.push(await connection.answer())
  connection.close()
  return answers.map((answer) => answer && comparable(answer, [sent].flat().join('')))
}

/** Removes headers that differ between responses. */
function comparable({ status, headers, body }: RawAnswer, sent: string): RawAnswer {
  const { date: _date, 'x-request-id': id = '', ...rest } = headers
  if (status !== 100) assert.notEqual(id, '', 'every response has a request id')
  const kept = id !== '' && sent.includes(id) ? { 'x-request-id': id } : {}
  return { status, headers: { ...rest, ...kept }, body: id === '' ? body : body.replaceAll(id, 'ID') }
}

onNodes('a cached response is equal to a newly made one', estate, (nodes) => {
  for (const [form, make, count = 1] of forms) {
    test(form, async () => {
      const { b, bare } = nodes()
      for (const path of paths) {
        const authorization = `Authorization: Bearer ${b.tokens.everything}`
        // Fills the cache, including the requested encodings.
        for (const accept of ['identity', 'gzip', 'br', 'identity']) {
          await b.ask(`GET ${path}`, { as: 'everything', headers: { 'accept-encoding': accept } })
        }
        const { headers } = await bare.ask(`GET ${path}`, {
          as: 'everything',
          headers: { 'accept-encoding': 'identity' },
        })
        const sent = make(path, authorization, headers.get('etag') ?? '')
        const [short, whole] = await Promise.all([answersOf(b, sent, count), answersOf(bare, sent, count)])
        assert.deepEqual(short, whole, path)
      }
    })
  }
})
