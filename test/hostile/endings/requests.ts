import type { Random } from '../../torture/random.ts'
import { countedForms } from '../sockets/counted-forms.ts'
import { formsFor } from '../sockets/forms.ts'

export interface Sent {
  name: string
  bytes: string
}

const request = (line: string, ...lines: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`
const tunnel = request('CONNECT x:80')

/** The requests of the sockets harness, and some that leave a connection in another state. */
export function requestsFor(secret: string, random: Random): Sent[] {
  const token = `Authorization: Bearer ${secret}`
  const json = [token, 'Content-Type: application/json']
  const read = request('GET /v1/facilities/f/areas', token, 'Accept-Encoding: gzip')
  const list = JSON.stringify({
    value: Array.from({ length: 3000 }, (_, n) => ({ id_external: `${n}`, name: 'Room' })),
  })
  const rows: Record<string, string> = {
    'nothing at all': '',
    'a tunnel': tunnel,
    'a tunnel with bytes behind it': tunnel + 'x'.repeat(5000),
    'a tunnel behind a request': read + tunnel,
    'a tunnel in HTTP/1.0': 'CONNECT x:80 HTTP/1.0\r\n\r\n',
    'a tunnel to a path': request('CONNECT /v1/me', token),
    'an upgrade to a WebSocket': request('GET /v1/me', token, 'Connection: Upgrade', 'Upgrade: websocket'),
    'an upgrade to HTTP/2': request(
      'GET /',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AA',
    ),
    'an upgrade with a body': request(
      'POST /v1/areas/f-1',
      token,
      'Connection: Upgrade',
      'Upgrade: x',
      'Content-Length: 9',
    ),
    'a stream of events': request('GET /v1/events', token, 'Accept: text/event-stream'),
    'a wait for events': request('GET /v1/events?wait=30', token),
    'many reads': read.repeat(50),
    'half a head': read.slice(0, 30),
    'half a body': `${request('PATCH /v1/facilities/f/name', ...json, 'Content-Length: 1000')}{"value":`,
    'half a chunk': `${request('PATCH /v1/facilities/f/name', ...json, 'Transfer-Encoding: chunked')}ff\r\n{"value":`,
    'a long body':
      request('PATCH /v1/facilities/f/areas_autocomplete_list', ...json, `Content-Length: ${list.length}`) + list,
    'a body that is too long': request('PATCH /v1/facilities/f/name', ...json, 'Content-Length: 9999999') + list,
    'an expectation': request('PATCH /v1/facilities/f/name', ...json, 'Expect: 100-continue', 'Content-Length: 13'),
    'an expectation that is none': request(
      'PATCH /v1/facilities/f/name',
      ...json,
      'Expect: 200-maybe',
      'Content-Length: 13',
    ),
    'too long a head': request('GET /v1/me', `X: ${'x'.repeat(70_000)}`),
    'a trace': request('TRACE /v1/me', token),
    'an asterisk': request('OPTIONS *'),
    'a head': request('HEAD /v1/facilities/f/areas', token),
    'a sign-in': `${request('POST /cms/v1/sign-in', 'Content-Type: application/json', 'Content-Length: 2')}{}`,
    'a long response': request('GET /openapi.json', 'Accept-Encoding: gzip').repeat(5),
    'a TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'empty lines': '\r\n'.repeat(500),
    'random bytes': Array.from({ length: 500 }, () => String.fromCharCode(random.below(256))).join(''),
  }
  const forms = [...formsFor(secret, random), ...countedForms(secret)]
  return [...forms, ...Object.entries(rows).map(([name, bytes]) => ({ name, bytes }))]
}
