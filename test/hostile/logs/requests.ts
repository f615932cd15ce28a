import type { Random } from '../../torture/random.ts'
import { guess } from '../tokens/secret.ts'

/** The prefix of every canary. */
export const mark = 'Marguerite Qvist'
const plainMark = 'MargueriteQvist'
/** Matches a canary verbatim, URL-encoded or without the space. */
export const markPattern = /marguerite(?:%20|\+| )?qvist/i

const paths = [
  '/v1/facilities/f/name',
  '/v1/facilities/f/ssid_public',
  '/v1/facilities/f/subscription_url',
  '/v1/facilities/f/areas_autocomplete_list',
  '/v1/facilities/f/areas',
  '/v1/facilities/MARK/areas',
  '/v1/facilities/MARK',
  '/v1/areas/f-1/data_services',
  '/v1/areas/f-1/data_services/MARK',
  '/v1/areas/f-1',
  '/v1/areas/MARK',
  '/v1/areas/MARK/data_services',
  '/v1/me',
  '/cms/v1/sign-in',
  '/cms/v1/sign-in/link',
  '/cms/v1/me',
  '/cms/v1/facilities/MARK',
  '/problems/MARK',
  '/docs/MARK',
  '/MARK',
  '/%',
  '//MARK',
  'http://MARK/v1/me',
]
const methods = ['GET', 'GET', 'POST', 'POST', 'PATCH', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']
const queries = [
  '',
  '',
  '',
  '?q=MARK',
  '?MARK=1',
  '?limit=MARK',
  '?status=MARK',
  '?cursor=MARK',
  '?token=SECRET',
  '?%MARK',
]
const headers = [
  'Cookie: atrium_session=MARK',
  'User-Agent: MARK',
  'Referer: http://x/?MARK',
  'If-Match: "MARK"',
  'If-None-Match: "MARK"',
  'Idempotency-Key: MARK',
  'Atrium-Cycle: MARK',
  'X-Forwarded-For: MARK',
  'Origin: https://MARK',
  'Accept-Encoding: MARK',
  'Content-Type: MARK',
  'Content-Type: application/json',
  'Content-Type: application/json',
  'X-Request-Id: SPACED MARK',
  'SPACED: MARK',
  'MARK: 1',
]
const values = [
  '{"value": "MARK"}',
  '{"value": ["MARK"]}',
  '{"value": "MARK',
  'MARK',
  '["MARK"]',
  '{"value": {"MARK": "MARK"}}',
  '{"value": "[{\\"code\\": \\"MARK\\", \\"label\\": \\"MARK\\"}]"}',
  '{"value": "[{\\"code\\": \\"c\\", \\"start\\": \\"MARK\\"}]"}',
  '{"value": "[{\\"label\\": \\"MARK\\"}, \\"MARK\\"]"}',
  '{"value": "[{MARK"}',
  '{"value": [{"id_external": "MARK", "name": "MARK"}]}',
  '{"value": "https://MARK:SECRET@x/"}',
  '{"email": "MARK@x.example", "password": "MARK"}',
  '{"secret": "SECRET"}',
  '{"__proto__": "MARK"}',
  '{"value": "\\u0000MARK"}',
]
/** Valid requests, which reach the operation: method, path, body. */
const orderly: [string, string, string?][] = [
  ['PATCH', '/v1/facilities/f/name', '{"value": "MARK NUMBER"}'],
  ['PATCH', '/v1/facilities/f/ssid_public', '{"value": "MARK"}'],
  ['PATCH', '/v1/facilities/f/subscription_url', '{"value": "https://x/MARK"}'],
  ['PATCH', '/v1/facilities/f/areas_autocomplete_list', '{"value": [{"id_external": "MARK", "name": "MARK"}]}'],
  ['POST', '/v1/areas/f-1/data_services', '{"value": "[{\\"code\\": \\"MARK\\", \\"label\\": \\"MARK\\"}]"}'],
  ['POST', '/v1/areas/f-1/', ''],
  ['DELETE', '/v1/areas/f-1/data_services/MARK'],
  ['GET', '/v1/facilities/f/areas?q=MARK'],
  ['GET', '/v1/facilities/f/areas?MARK=1'],
  ['GET', '/v1/areas/MARK/data_services'],
  ['POST', '/cms/v1/sign-in', '{"email": "MARK@x.example", "password": "MARK"}'],
]
const garbage = [
  'MARK\r\n\r\n',
  'GET /MARK HTTP/9.9\r\nHost: x\r\n\r\n',
  'GET /v1/me HTTP/1.1\r\nHost: x\r\nMARK\r\n\r\n',
  'GET /v1/me HTTP/1.1\r\nHost: MARK\r\nHost: MARK\r\n\r\n',
  'POST /v1/areas/f-1/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nMARK\r\n',
  'POST /v1/areas/f-1/ HTTP/1.1\r\nHost: x\r\nContent-Length: MARK\r\n\r\n',
  'CONNECT MARK:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  `GET /${'MARK'.repeat(6000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
]

/** Returns a request with canaries and secrets wherever a caller can put text; `isNamed` makes it a rename. */
export function drawRequest(random: Random, token: string, isNamed = false): string {
  const fill = (text: string, marked = plainMark) =>
    text
      .replaceAll('MARK', marked)
      .replaceAll('NUMBER', () => String(random.below(1e9)))
      .replaceAll('SECRET', () => secretOf(random, token))
  if (random.chance(0.1)) return fill(random.pick(garbage))
  if (random.chance(0.5)) {
    const [method, path, body = ''] = isNamed ? (orderly[0] as [string, string, string]) : random.pick(orderly)
    return requestOf(method, fill(path), [`Authorization: Bearer ${token}`], fill(body, mark))
  }
  const body = random.chance(0.6) ? fill(random.pick(values), mark) : ''
  const some = headers.filter(() => random.chance(0.12)).map((line) => fill(line).replace('SPACED', mark))
  const whose = random.pick([`Bearer ${token}`, `Bearer ${secretOf(random, token)}`, `Basic ${plainMark}`])
  const path = fill(random.pick(paths) + random.pick(queries))
  return requestOf(random.pick(methods), path, [`Authorization: ${whose}`, ...some], body)
}

function requestOf(method: string, path: string, lines: string[], body: string): string {
  const about = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]
  const all = [`${method} ${path} HTTP/1.1`, 'Host: x', ...lines, ...(body === '' ? [] : about)]
  return `${all.join('\r\n')}\r\n\r\n${body}`
}

/** A valid token, a well-formed wrong one, or a valid one with a suffix. */
function secretOf(random: Random, token: string): string {
  return random.pick([token, guess(random), `${token}x`])
}
