import { type Form, request } from './forms.ts'

/** Half a body that cannot be continued. */
const brokenChunk = 'zz\r\n{"value":"F"}\r\n0\r\n\r\n'
const chunked = 'Transfer-Encoding: chunked'

/** Forms with an invalid part, in which the number of requests is certain: each gets one response, in order. */
export function countedForms(secret: string): Form[] {
  const token = `Authorization: Bearer ${secret}`
  const json = 'Content-Type: application/json'
  const on = (line: string, lines: string[], content = '') =>
    request(`${line} HTTP/1.1`, ['Host: x', token, ...lines], content)
  const open = on('POST /v1/areas/f-1/', ['Content-Length: 0'])
  const tunnel = request('CONNECT x:443 HTTP/1.1', ['Host: x'])
  const badHead = on('GET /v1/me', ['no header'])
  const rows: [string, string, number[]][] = [
    ['an opening, then a tunnel', open + tunnel, [200, 400]],
    ['an opening, then a bad head', open + badHead, [200, 400]],
    ['an opening, then a bad chunk', open + on('PATCH /v1/nowhere', [chunked], brokenChunk), [200, 404]],
    ['openings, then no HTTP', `${open}${open}hello\r\n\r\n`, [200, 200, 400]],
    ['an opening with a bad chunk', on('POST /v1/areas/f-1/', [chunked], brokenChunk), [200]],
    ['a closing with a bad chunk', on('DELETE /v1/areas/f-1/', [chunked], brokenChunk), [200]],
    ['a read with a bad chunk', on('GET /v1/me', [chunked], brokenChunk), [200]],
    ['a bad chunk nowhere', on('PATCH /v1/nowhere', [chunked], brokenChunk), [404]],
    ['a bad chunk that is needed', on('PATCH /v1/facilities/f/name', [json, chunked], brokenChunk), [400]],
    [
      'a bad chunk after an opening',
      open + on('PATCH /v1/facilities/f/name', [json, chunked], brokenChunk),
      [200, 400],
    ],
    [
      'a bad chunk without a token',
      request('PATCH /v1/facilities/f/name HTTP/1.1', ['Host: x', chunked], brokenChunk),
      [401],
    ],
    ...['GET', 'POST', 'DELETE'].flatMap((method) =>
      ['x', 'identity'].map((coding): [string, string, number[]] => [
        `${method} with the encoding ${coding}`,
        on(`${method} /v1/areas/f-1/`, [`Transfer-Encoding: ${coding}`]),
        [400],
      ]),
    ),
  ]
  const form = ([name, bytes, statuses]: [string, string, number[]]) => ({ name, bytes, statuses, maySucceed: true })
  return rows.map(form)
}
