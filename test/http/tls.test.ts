import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectInTheClear } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type SecureVersion, type TLSSocket } from 'node:tls'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { certificates } from '../harness/certificates.ts'
import { atrium as command, serve } from '../harness/command.ts'
import { engines, freshDatabase } from '../harness/databases.ts'
import { until } from '../harness/workers.ts'

type Name = keyof typeof certificates

const folder = mkdtempSync(join(tmpdir(), 'atrium-tls-'))
const settings = { ATRIUM_TLS_CERT: join(folder, 'cert.pem'), ATRIUM_TLS_KEY: join(folder, 'key.pem') }
const putCertificate = (name: Name) => writeFileSync(settings.ATRIUM_TLS_CERT, certificates[name].certificate)
const putKey = (name: Name) => writeFileSync(settings.ATRIUM_TLS_KEY, certificates[name].key)
const trusted = [certificates.first.certificate, certificates.second.certificate]

after(() => rmSync(folder, { recursive: true }))

async function open(url: string, version?: SecureVersion): Promise<TLSSocket> {
  const versions = version && { minVersion: version, maxVersion: version }
  // Lets this client offer old versions, so that the server has to refuse them.
  const ciphers = 'DEFAULT@SECLEVEL=0'
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', ca: trusted, ciphers, ...versions })
  await once(socket, 'secureConnect')
  return socket
}

/** Sends one request in chunks with pauses, and reads the response. */
async function ask(socket: TLSSocket, ...pieces: string[]): Promise<string> {
  let received = ''
  const read = (chunk: Buffer) => {
    received += chunk.toString('latin1')
  }
  socket.on('data', read)
  for (const piece of pieces) {
    socket.write(piece)
    await sleep(20)
  }
  const isWhole = () => {
    const [head = '', body = ''] = received.split('\r\n\r\n')
    return body.length > 0 && body.length === Number(/content-length: (\d+)/i.exec(head)?.[1])
  }
  await until('a response', async () => isWhole())
  socket.off('data', read)
  return received
}

const nameOn = (socket: TLSSocket) => String(socket.getPeerCertificate().subject.CN)
const request = (token: string, line: string, ...more: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: atrium', `Authorization: Bearer ${token}`, ...more].join('\r\n')}\r\n\r\n`

for (const engine of engines) {
  describe(`TLS (${engine})`, () => {
    let atrium: TestAtrium
    let token: string
    before(async () => {
      putCertificate('first')
      putKey('first')
      atrium = await startAtrium(engine, { settings })
      token = atrium.tokens.everything ?? ''
    })
    after(() => atrium.stop())

    test('its URL has the scheme https', () => assert.match(atrium.url, /^https:\/\/127\.0\.0\.1:\d+$/))

    test('simple, other and chunked requests share one connection, in order', async () => {
      const socket = await open(atrium.url)
      const read = request(token, 'GET /v1/facilities/lyon-01')
      const body = '{"value":"Renamed"}'
      const change = request(
        token,
        'PATCH /v1/facilities/lyon-01/name',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      )
      for (const pieces of [
        [read],
        [read],
        [change + body],
        [read],
        [change, body],
        [read.slice(0, 9), read.slice(9)],
      ]) {
        const answer = await ask(socket, ...pieces)
        assert.match(answer, /^HTTP\/1\.1 200 /)
        assert.match(answer, /\r\nstrict-transport-security: max-age=31536000\r\n/)
      }
      socket.destroy()
    })

    test('a refusal by the parser is encrypted too', async () => {
      const socket = await open(atrium.url)
      const answer = await ask(socket, 'hello\r\n\r\n')
      assert.match(answer, /^HTTP\/1\.1 400 .*strict-transport-security/s)
    })

    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      test(`${version} is spoken`, async () => {
        const socket = await open(atrium.url, version)
        assert.equal(socket.getProtocol(), version)
        socket.destroy()
      })
    }

    test('TLS 1.1 is refused', () => assert.rejects(open(atrium.url, 'TLSv1.1'), /protocol version|alert/))

    test('a client without TLS is disconnected, the others are served', async () => {
      const socket = connectInTheClear(Number(new URL(atrium.url).port), '127.0.0.1')
      socket.on('error', () => {}).write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(socket, 'close')
      const other = await open(atrium.url)
      assert.match(await ask(other, request(token, 'GET /v1/me')), /^HTTP\/1\.1 200 /)
      other.destroy()
    })

    test('a new certificate is shown when its key is there too; open connections stay', async () => {
      const kept = await open(atrium.url)
      assert.equal(nameOn(kept), 'first')
      putCertificate('second')
      const warned = () => atrium.log.filter((line) => line.includes('could not reload the certificate'))
      await until('a warning in the log', async () => warned().length > 0)
      assert.match(warned().join(), /"code":"ERR_OSSL_X509_KEY_VALUES_MISMATCH"/)
      const meanwhile = await open(atrium.url)
      assert.equal(nameOn(meanwhile), 'first')
      putKey('second')
      const shown = async () => {
        const socket = await open(atrium.url)
        const name = nameOn(socket)
        socket.destroy()
        return name === 'second'
      }
      await until('the new certificate', shown)
      assert.equal(warned().length, 1)
      for (const socket of [kept, meanwhile]) {
        assert.match(await ask(socket, request(token, 'GET /v1/me')), /^HTTP\/1\.1 200 /)
        socket.destroy()
      }
    })
  })
}

describe('atrium serve with TLS', () => {
  test('several workers show the certificate, and stop despite a client that never sends anything', async (t) => {
    putCertificate('first')
    putKey('first')
    const database = await freshDatabase('sqlite')
    const serving = await serve({ ...settings, ATRIUM_DATABASE: database.url }, '--workers', '2')
    t.after(async () => {
      await serving.stop()
      await database.drop()
    })
    assert.match(serving.url, /^https:/)
    const silent = connectInTheClear(Number(new URL(serving.url).port), '127.0.0.1').on('error', () => {})
    const port = new URL(serving.url).port
    const { stdout } = await command(
      { ...settings, ATRIUM_DATABASE: database.url, ATRIUM_PORT: port },
      'doctor',
      '--json',
    )
    assert.match(stdout, new RegExp(`Atrium runs on ${serving.url} and is ready`))
    assert.match(stdout, /"detail":"[^"]*cert\.pem, for CN=first, valid from 2026-01-01 to 2126-01-01"/)
    assert.equal(await serving.stop(), 0)
    silent.destroy()
  })

  const faults: [string, () => void, RegExp][] = [
    ['the files do not belong together', () => putCertificate('second'), /ERR_OSSL_X509_KEY_VALUES_MISMATCH/],
    ['one of them is nothing', () => writeFileSync(settings.ATRIUM_TLS_KEY, 'nothing'), /ERR_OSSL/],
    ['one of them is missing', () => rmSync(settings.ATRIUM_TLS_KEY), /ENOENT/],
  ]
  for (const [when, spoil, says] of faults) {
    test(`the start fails in one line when ${when}`, async () => {
      putCertificate('first')
      putKey('first')
      spoil()
      const database = `sqlite:${join(folder, 'atrium.db')}`
      const { code, stderr } = await command({ ...settings, ATRIUM_DATABASE: database, ATRIUM_PORT: '0' }, 'serve')
      assert.equal(code, 1)
      assert.match(stderr, says)
      assert.match(stderr, /^atrium: [^\n]*ATRIUM_TLS_CERT and ATRIUM_TLS_KEY\n$/)
    })
  }

  test('one setting without the other is refused', async () => {
    const { code, stderr } = await command({ ATRIUM_TLS_CERT: 'x' }, 'serve')
    assert.deepEqual(
      [code, stderr],
      [1, 'atrium: ATRIUM_TLS_CERT and ATRIUM_TLS_KEY go together: set both, or neither\n'],
    )
  })
})
