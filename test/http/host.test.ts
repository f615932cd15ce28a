import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { parseRaw, sendRaw } from '../harness/raw.ts'

const accepted = [
  'example.com',
  'example.com:8080',
  'EXAMPLE.com.',
  'my_host:80',
  '127.0.0.1:8080',
  '[::1]',
  '[2001:db8::1]:443',
  'x:',
]
const invalid = [
  '',
  'a b',
  'a/b',
  'u@b',
  'a?b',
  'a#b',
  'a,b',
  'a\\b',
  '"a"',
  '<a>',
  '\xe9',
  'x:abc',
  ':80',
  '[::1',
  '::1',
]

for (const fast of ['on', 'off']) {
  onEachEngine(`the header Host, fast path ${fast}`, { settings: { ATRIUM_FAST_HTTP: fast } }, (atrium) => {
    const answer = async (hosts: string[], version = '1.1') => {
      const authorization = `Authorization: Bearer ${atrium().tokens.ward}`
      const lines = [`GET /v1/me HTTP/${version}`, ...hosts.map((host) => `Host: ${host}`), authorization]
      const request = Buffer.from(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`, 'latin1')
      const { status, body } = parseRaw(await sendRaw(atrium().url, request))
      return [status, JSON.parse(body).detail]
    }
    for (const host of accepted) {
      test(`${host} is accepted`, async () => assert.deepEqual(await answer([host]), [200, undefined]))
    }
    for (const host of invalid) {
      test(`${JSON.stringify(host)} is refused`, async () => {
        assert.deepEqual(await answer([host]), [400, 'The header Host is not a host name and a port.'])
      })
    }
    test('a missing or repeated one is refused', async () => {
      assert.deepEqual(await answer([]), [400, 'The Host header is missing.'])
      for (const hosts of [
        ['x', 'x'],
        ['x', 'y'],
      ]) {
        assert.deepEqual(await answer(hosts), [400, 'The header "host" must be sent once.'])
      }
    })
    test('HTTP/1.0 needs none', async () => assert.deepEqual(await answer([], '1.0'), [200, undefined]))
  })
}
