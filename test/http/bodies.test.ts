import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { parseRaw, sendRaw, sendThenRead } from '../harness/raw.ts'
import { type Scenario, scenarios } from '../harness/scenarios.ts'

const name = 'PATCH /v1/facilities/lyon-01/name'
const row = (when: string, body: string, status: number, code: string): Scenario => ({
  when,
  as: 'everything',
  request: name,
  body,
  status,
  code,
})

const ofType = (type: string, rest: { status: number; code?: string }): Scenario => ({
  when: `the type is ${type}`,
  as: 'everything',
  request: name,
  body: { value: 'x' },
  headers: { 'content-type': type },
  ...rest,
})
const ofCoding = (coding: string, rest: { status: number; code?: string }): Scenario => ({
  when: `the content coding is ${coding}`,
  as: 'everything',
  request: name,
  body: { value: 'x' },
  headers: { 'content-encoding': coding },
  ...rest,
})
const otherCharsets = [
  'application/json; charset=iso-8859-1',
  'application/json;charset="UTF-16"',
  'application/json; x=y; Charset=latin1',
  'application/json; charset=utf-8; charset=latin1',
  'application/json; charset =latin1',
  'application/json; charset="latin1',
]
const json = [
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON ;charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json; charset=utf8',
  'application/json;x=y',
  'application/json; charset=',
]
const others = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonp',
  'application/problem+json',
  'nonsense',
  'text/plain; a=application/json',
]

scenarios('bodies', [
  ...json.map((type) => ofType(type, { status: 200 })),
  ...otherCharsets.map((type) => ofType(type, { status: 415, code: 'body_type_unsupported' })),
  ...['gzip', 'br', 'deflate, gzip', 'x'].map((coding) =>
    ofCoding(coding, { status: 415, code: 'body_type_unsupported' }),
  ),
  ofCoding('Identity', { status: 200 }),
  ...others.map((type) => ofType(type, { status: 415, code: 'body_type_unsupported' })),
  { when: 'there is no body and no type', as: 'everything', request: name, status: 415, code: 'body_type_unsupported' },
  row('it is empty', '', 400, 'body_not_json'),
  row('it is cut off', '{"value": "x"', 400, 'body_not_json'),
  row('it is not JSON', 'value=x', 400, 'body_not_json'),
  row('it is an array', '[{"value":"x"}]', 400, 'body_not_object'),
  row('it is a string', '"value"', 400, 'body_not_object'),
  row('it is null', 'null', 400, 'body_not_object'),
  row('value comes only from the prototype', '{"toString":"x"}', 400, 'value_missing'),
  row('a key is __proto__', '{"value":"x","__proto__":{"a":1}}', 400, 'key_forbidden'),
  row('a key is __proto__ in disguise', '{"value":"x","a":[{"\\u005f_proto__":1}]}', 400, 'key_forbidden'),
  row('constructor holds a prototype', '{"value":"x","constructor":{"prototype":1}}', 400, 'key_forbidden'),
  row('text holds U+0000', '{"value":"a\\u0000b"}', 400, 'text_forbidden'),
  row('text holds a lone surrogate', '{"value":"\\ud83d"}', 400, 'text_forbidden'),
  row('a key holds a lone surrogate', '{"value":"x","\\udc00":1}', 400, 'text_forbidden'),
  row('it is nested 33 deep', `{"value":"x","y":${'['.repeat(32)}${']'.repeat(32)}}`, 400, 'body_too_deep'),
  row('it is nested half a million deep', '['.repeat(500_000), 400, 'body_too_deep'),
  row('it is larger than 1 MiB', JSON.stringify({ value: 'x', more: 'y'.repeat(1_048_576) }), 413, 'body_too_large'),
  {
    when: 'it is nested 32 deep',
    as: 'everything',
    request: name,
    body: `{"value":"x","y":${'['.repeat(31)}${']'.repeat(31)}}`,
    status: 200,
  },
  {
    when: 'brackets in text are no depth',
    as: 'everything',
    request: name,
    body: { value: '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["\\' },
    status: 200,
  },
  {
    when: 'it begins with a byte order mark',
    as: 'everything',
    request: name,
    body: '\ufeff{"value":"x"}',
    status: 200,
  },
])

onEachEngine('bodies on the wire', {}, (atrium) => {
  const head = (...lines: string[]) =>
    [
      'PATCH /v1/facilities/lyon-01/name HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${atrium().tokens.everything}`,
      'Content-Type: application/json',
      ...lines,
    ].join('\r\n')

  test('bytes that are not UTF-8 are refused', async () => {
    const body = '{"value":"\xff\xfe"}'
    const { status, body: problem } = parseRaw(
      await sendRaw(
        atrium().url,
        Buffer.from(`${head(`Content-Length: ${body.length}`, 'Connection: close')}\r\n\r\n${body}`, 'latin1'),
      ),
    )
    assert.deepEqual([status, JSON.parse(problem).code], [400, 'body_not_json'])
  })

  test('a chunked body beyond the limit closes the connection, and is not read to its end', async () => {
    const chunk = `${(64_000).toString(16)}\r\n${'x'.repeat(64_000)}\r\n`
    const answer = parseRaw(
      await sendRaw(atrium().url, `${head('Transfer-Encoding: chunked')}\r\n\r\n${chunk.repeat(20)}`, 1000),
    )
    assert.deepEqual([answer.status, answer.headers.connection], [413, 'close'])
  })

  test('a client that sends its whole body first still gets the response, and no reset', async () => {
    const body = Buffer.alloc(20_000_000, 'x')
    const request = Buffer.concat([Buffer.from(`${head(`Content-Length: ${body.length}`)}\r\n\r\n`), body])
    const { status, body: problem } = parseRaw(await sendThenRead(atrium().url, request))
    assert.deepEqual([status, JSON.parse(problem).code], [413, 'body_too_large'])
  })

  test('so does one that continues to send after bytes that are no request', async () => {
    const { status, body: problem } = parseRaw(await sendThenRead(atrium().url, 'x'.repeat(2_000_000)))
    assert.deepEqual([status, JSON.parse(problem).code], [400, 'request_malformed'])
  })

  test('a chunked body is accepted', async () => {
    const answer = parseRaw(
      await sendRaw(
        atrium().url,
        `${head('Transfer-Encoding: chunked', 'Connection: close')}\r\n\r\n9\r\n{"value":\r\n4\r\n"x"}\r\n0\r\n\r\n`,
      ),
    )
    assert.deepEqual([answer.status, answer.body.includes('"name":"x"')], [200, true])
  })
})
