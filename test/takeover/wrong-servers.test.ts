import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Pace } from '../../src/takeover/pace.ts'
import { Remote } from '../../src/takeover/remote.ts'
import { RemoteFailure } from '../../src/takeover/remote-failure.ts'
import { type PlainInstallation, startPlain } from './plain-installation.ts'

const token = 'a-secret-token'
const maxBytes = 10_000
const path = '/v1/facilities/'

interface Asked {
  pauses?: number[]
  timeoutMs?: number
}

function remoteTo(url: string, { pauses = [], timeoutMs = 2000 }: Asked = {}): Remote {
  const { signal } = new AbortController()
  const onPause = (_reason: string, seconds: number) => void pauses.push(seconds)
  const pace = new Pace({ requestsPerSecond: 1000, signal, onPause })
  return new Remote({ baseUrl: url, token, name: 'token 1', pace, signal, timeoutMs, maxBytes, backoffMs: 1 })
}

type Send = (response: ServerResponse, count: number, old: () => PlainInstallation) => void

/** Starts a server that responds in this way, reads a path from it, and returns what came of it. */
async function ask(send: Send, asked: Asked = {}) {
  let old: PlainInstallation | undefined
  old = await startPlain({}, (_request, response, count) => {
    send(response, count, () => old as PlainInstallation)
    return true
  })
  const remote = remoteTo(old.url, asked)
  try {
    const result = await remote.get(path).catch((error) => error)
    return { result, requests: old.requests }
  } finally {
    old.close()
  }
}

const ok = (response: ServerResponse, body: string | Buffer, headers = {}) =>
  void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body)
const afterFailing = (fail: Send): Send => {
  return (response, count, old) => (count <= 2 ? fail(response, count, old) : ok(response, '[]'))
}

describe('a server that fails for a while is asked again', () => {
  const rows: [what: string, send: Send][] = [
    ['500', (response) => void response.writeHead(500).end('oops')],
    ['502 with HTML', (response) => void response.writeHead(502).end('<html>')],
    ['an HTML page', (response) => ok(response, '<!doctype html><title>Maintenance</title>')],
    ['JSON that is cut off', (response) => ok(response, '[{"id": 1, "na')],
    [
      'a connection that breaks in the body',
      (response) => {
        response.writeHead(200, { 'content-length': 100 }).write('[')
        setImmediate(() => response.destroy())
      },
    ],
    ['no response', (response) => void response.destroy()],
    ['bytes that are not UTF-8', (response) => ok(response, Buffer.from([0x22, 0xff, 0x22]))],
    ['429', (response) => void response.writeHead(429, { 'retry-after': '0' }).end()],
    [
      '503 with a date',
      (response) => void response.writeHead(503, { 'retry-after': new Date(Date.now() - 5000).toUTCString() }).end(),
    ],
    ['429 without Retry-After', (response) => void response.writeHead(429).end()],
    ['503 with nonsense', (response) => void response.writeHead(503, { 'retry-after': 'soon' }).end()],
  ]
  for (const [what, fail] of rows) {
    test(what, async () => {
      const { result, requests } = await ask(afterFailing(fail))
      assert.deepEqual([result.status, result.json], [200, []], String(result))
      assert.equal(requests.length, 3)
    })
  }

  test('slow bytes, which are cut off after a time', async () => {
    const timers: NodeJS.Timeout[] = []
    const drip: Send = (response) => {
      response.writeHead(200)
      timers.push(setInterval(() => response.write(' '), 20))
    }
    const { result, requests } = await ask(afterFailing(drip), { timeoutMs: 150 })
    timers.forEach(clearInterval)
    assert.deepEqual([result.json, requests.length], [[], 3], String(result))
  })

  test('with the pause that it asks for', async () => {
    const pauses: number[] = []
    const busy: Send = (response) => void response.writeHead(429, { 'retry-after': '1' }).end()
    await ask((response, count, old) => (count === 1 ? busy(response, count, old) : ok(response, '[]')), { pauses })
    assert.deepEqual(pauses, [1])
  })
})

describe('a server that stays wrong is given up', () => {
  const endless: Send = (response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(4096, 0x20)
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more)
    more()
  }
  const rows: [what: string, send: Send, says: RegExp, requests: number][] = [
    ['500 for ever', (response) => void response.writeHead(500).end('x'), /status 500$/, 5],
    ['HTML for ever', (response) => ok(response, '<html>'), /the body is HTML or XML; check that the address/, 5],
    ['an endless body', endless, /longer than 10000 bytes; --max-bytes allows more/, 1],
    [
      'a small body that unpacks to a large one',
      (response) => ok(response, gzipSync(Buffer.alloc(5_000_000, 0x20)), { 'content-encoding': 'gzip' }),
      /longer than 10000 bytes/,
      1,
    ],
    ['deep JSON', (response) => ok(response, '['.repeat(5000)), /nested deeper than 200 levels/, 1],
    [
      'a pause of a day',
      (response) => void response.writeHead(429, { 'retry-after': '86400' }).end(),
      /status 429, which asks to wait 86400 s: run the command again later/,
      1,
    ],
    [
      '429 for ever',
      (response) => void response.writeHead(429, { 'retry-after': '0' }).end(),
      /run the command again later/,
      21,
    ],
    ['a token that is refused', (response) => void response.writeHead(401).end(), /token 1 is not accepted \(401\)/, 1],
    ['204', (response) => void response.writeHead(204).end(), /unexpected status 204/, 1],
    ['304 without a condition', (response) => void response.writeHead(304).end(), /unexpected status 304/, 1],
    [
      'redirects in a circle',
      (response) => void response.writeHead(302, { location: path }).end(),
      /more than 5 redirects/,
      6,
    ],
  ]
  for (const [what, send, says, count] of rows) {
    test(what, async () => {
      const { result, requests } = await ask(send)
      assert.ok(result instanceof RemoteFailure, JSON.stringify(result))
      assert.match(result.message, says)
      assert.ok(!result.message.includes(token))
      assert.equal(requests.length, count)
    })
  }
})

describe('a token follows a redirect within the installation only', () => {
  const to = (location: (old: PlainInstallation) => string, status = 302): Send => {
    return (response, count, old) => {
      if (count === 1) response.writeHead(status, { location: location(old()) }).end()
      else ok(response, '[]')
    }
  }

  for (const status of [301, 302, 303, 307, 308]) {
    test(`${status} to another path`, async () => {
      const { result, requests } = await ask(to(() => '/v1/facilities', status))
      assert.deepEqual(result.json, [])
      assert.deepEqual(
        requests.map((one) => [one.path, one.token]),
        [
          [path, token],
          ['/v1/facilities', token],
        ],
      )
    })
  }

  const elsewhere: [what: string, location: (trap: PlainInstallation, old: PlainInstallation) => string][] = [
    ['another port', (trap) => `${trap.url}/v1/facilities/`],
    ['another port, without a scheme', (trap) => trap.url.replace('http:', '')],
    ['another scheme', (_trap, old) => old.url.replace('http:', 'https:')],
    ['another host', (_trap, old) => old.url.replace('127.0.0.1', 'localhost')],
    ['a user name before the address', (trap, old) => `${old.url}@${trap.url.slice('http://'.length)}/`],
    ['no address', () => 'http://['],
    ['a file', () => 'file:///etc/passwd'],
  ]
  for (const [what, location] of elsewhere) {
    test(`not to ${what}`, async () => {
      const trap = await startPlain({}, (_request, response) => {
        ok(response, '[]')
        return true
      })
      const { result, requests } = await ask(to((old) => location(trap, old)))
      trap.close()
      assert.ok(result instanceof RemoteFailure, JSON.stringify(result))
      assert.match(result.message, /redirects to .*, where tokens are not sent/)
      assert.deepEqual([requests.length, trap.requests.length], [1, 0])
    })
  }
})
