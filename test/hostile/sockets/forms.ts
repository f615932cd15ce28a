import type { Random } from '../../torture/random.ts'

/** Bytes to send, and what must hold for the responses. */
export interface Form {
  name: string
  bytes: string
  /** Whether a response may be a success: every request in the bytes has a valid token or needs none. */
  maySucceed: boolean
  /** The statuses of all responses, where it is certain how many requests the bytes hold. */
  statuses?: number[]
}

/** The id of a request smuggled in another's body: no response may have it. */
export const smuggled = 'smuggled'
const inner = `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${smuggled}\r\n\r\n`
const body = '{"value":"F"}'

export const request = (line: string, lines: string[], content = '') =>
  `${[line, ...lines].join('\r\n')}\r\n\r\n${content}`
const read = (target: string, ...lines: string[]) => request(`GET ${target} HTTP/1.1`, ['Host: x', ...lines])
const rename = (lines: string[], content = body) =>
  request('PATCH /v1/facilities/f/name HTTP/1.1', ['Host: x', ...lines], content)

const targets = [
  '/v1/facilities',
  '/v1/facilities/f',
  '/v1/facilities/f/areas?limit=1',
  'http://x/v1/facilities',
  'HTTP://X/v1/facilities/f',
  'http://user@x/v1/me',
  'https://x:443/v1/me',
  '/%761/facilities',
  '/v1/%66acilities/f',
  '/%2fv1/facilities',
  '//v1/facilities',
  '/./v1/facilities',
  '/v1/../v1/facilities',
  '/v1/facilities;x',
  '/v1/facilities%00',
  '/v1/facilities#x',
  '/V1/facilities',
  'x:443',
  '*',
  '/v1\\facilities',
  '/healthz/../v1/facilities',
]

/** Requests about whose end two parsers could disagree (request smuggling). */
function framings(token: string): string[][] {
  const json = [token, 'Content-Type: application/json']
  const length = `Content-Length: ${body.length}`
  const chunked = 'Transfer-Encoding: chunked'
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const of = (name: string, ...given: [string[], string]) => [name, rename([...json, ...given[0]], given[1])]
  return [
    of('length and chunks', [length, chunked], `0\r\n\r\n${inner}`),
    of('chunks and length', [chunked, `Content-Length: ${inner.length}`], `0\r\n\r\n${inner}`),
    of('two lengths', [length, 'Content-Length: 5'], body + inner),
    of('the same length twice', [length, length], body),
    of('lengths in a list', [`Content-Length: ${body.length}, ${body.length}`], body),
    of('a length with a sign', [`Content-Length: +${body.length}`], body + inner),
    of('a length in hexadecimal', ['Content-Length: 0xd'], body + inner),
    of('a length below nothing', ['Content-Length: -1'], body + inner),
    of('a huge length', ['Content-Length: 99999999999999999999'], body),
    of('a space before the colon', [`Content-Length : ${body.length}`], body + inner),
    of('an encoding that is none', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${inner}`),
    of('chunks that are not last', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${inner}`),
    of('chunks twice', [chunked, chunked], `0\r\n\r\n${inner}`),
    of('chunks after a tab', ['Transfer-Encoding:\tchunked'], chunks),
    of('chunks in capitals', ['TRANSFER-ENCODING: CHUNKED'], chunks),
    of('a folded encoding', ['Transfer-Encoding:', ' chunked'], `0\r\n\r\n${inner}`),
    of('a folded header', ['X-A: b', ' c', length], body),
    of('a bad chunk', [chunked], `zz\r\n${body}\r\n0\r\n\r\n${inner}`),
    of('an extended chunk', [chunked], `d;a=b\r\n${body}\r\n0\r\n\r\n`),
    of('a chunk that ends with LF', [chunked], `d\n${body}\n0\n\n${inner}`),
    of('trailers', [chunked], `d\r\n${body}\r\n0\r\nX-Trailer: y\r\n\r\n`),
    ['lines that end with LF', rename([...json, length]).replaceAll('\r\n', '\n')],
    ['a bare CR in a header', rename([...json, 'X-A: b\rContent-Length: 0', length])],
    ['a null in a header', rename([...json, 'X-A: b\0c', length])],
    ['a header without a name', rename([...json, ': x', length])],
    [
      'spaces before the first header',
      request('PATCH /v1/facilities/f/name HTTP/1.1', [' Host: x', ...json, length], body),
    ],
    ['no version', 'GET /v1/facilities\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['two spaces in the first line', request('GET  /v1/facilities HTTP/1.1', ['Host: x', token])],
  ]
}

const repeated = [
  'Host: x',
  'Authorization: Bearer x',
  'Content-Type: text/plain',
  'Idempotency-Key: a',
  'Atrium-Cycle: a',
]

/** Returns all forms, with their random parts drawn. */
export function formsFor(secret: string, random: Random): Form[] {
  const token = `Authorization: Bearer ${secret}`
  const id = () => `X-Request-Id: r${random.below(1_000_000)}`
  const row =
    (of: string) =>
    (rest: readonly string[]): Form => ({
      name: `${of}: ${rest[0]}`,
      bytes: rest[1] as string,
      maySucceed: true,
    })
  const without = targets.map((target) => ({ name: `no token: ${target}`, bytes: read(target), maySucceed: false }))
  const bad = targets.map((target) => {
    const guess = `Authorization: ${random.pick(['Bearer x', 'Basic eDp4', `Bearer atr_00000000_${'0'.repeat(49)}`, 'Bearer'])}`
    return { name: `bad token: ${target}`, bytes: read(target, guess), maySucceed: false }
  })
  const good = targets.map((target) => [target, read(target, token, id())])
  const twice = repeated.map((line) => {
    const plain = [token, 'Content-Type: application/json', 'Idempotency-Key: b', 'Atrium-Cycle: b']
    return [line, rename([...plain, line, `Content-Length: ${body.length}`])]
  })
  const several = Array.from({ length: 2 + random.below(6) }, () =>
    random.pick([
      read('/v1/facilities/f', token, id()),
      read('/healthz', id()),
      read('/v1/me', id()),
      read('/nowhere', id()),
    ]),
  )
  const changes = [
    rename([token, id(), 'Content-Type: application/json', `Content-Length: ${body.length}`]),
    several[0],
  ]
  return [
    ...without,
    ...bad,
    ...good.map(row('token')),
    ...framings(token).map(row('framing')),
    ...twice.map(row('repeated')),
    ...[
      ['many', several.join('')],
      ['a change and a read', changes.join('')],
    ].map(row('pipelined')),
    ...[['a tunnel', request('CONNECT x:443 HTTP/1.1', ['Host: x', token])]].map(row('other')),
  ]
}
