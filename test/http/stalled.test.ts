import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { closeStalledReaders } from '../../src/http/adapters/stalled.ts'
import { certificates } from '../harness/certificates.ts'

/** More than the socket buffers of both ends hold. */
const body = Buffer.alloc(20_000_000, 'x')
const times = { sweepMs: 50, stalledMs: 2000 }
const request = 'GET / HTTP/1.1\r\nHost: atrium\r\n\r\n'

for (const isEncrypted of [false, true]) {
  describe(`a reader ${isEncrypted ? 'over TLS' : 'in the clear'}`, () => {
    let server: Server
    before(async () => {
      const { certificate: cert, key } = certificates.first
      server = isEncrypted ? createTlsServer({ cert, key }) : createServer()
      server.on('request', (_request, response) => response.end(body))
      closeStalledReaders(server, times)
      await once(server.listen(0, '127.0.0.1'), 'listening')
    })
    after(() => {
      server.closeAllConnections()
      server.close()
    })

    const reader = async (): Promise<Socket> => {
      const place = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
      const socket = isEncrypted ? connectTls({ ...place, rejectUnauthorized: false }) : connect(place)
      socket.on('error', () => {})
      await once(socket, isEncrypted ? 'secureConnect' : 'connect')
      return socket.pause()
    }

    /** Whether the server has closed every connection within this time. */
    const isLeftWithin = async (withinMs: number): Promise<boolean> => {
      const count = () => new Promise<number>((resolve) => server.getConnections((_error, n) => resolve(n)))
      for (const endMs = performance.now() + withinMs; performance.now() < endMs; await sleep(20)) {
        if ((await count()) === 0) return true
      }
      return false
    }

    for (const [how, more] of [
      ['reads nothing', ''],
      ['reads nothing and goes on sending', '\r\n'],
      ['reads nothing and goes on sending requests', request],
    ]) {
      test(`one that ${how} is disconnected`, async () => {
        const socket = await reader()
        socket.write(request)
        const timer = setInterval(() => more !== '' && socket.write(more as string), 100)
        assert.ok(await isLeftWithin(20_000))
        clearInterval(timer)
        socket.destroy()
      })
    }

    test('one that reads a little now and then receives everything', async () => {
      const socket = await reader()
      socket.write(request)
      let bytes = 0
      const startMs = performance.now()
      while (bytes < body.length) {
        await sleep(10)
        const taken = socket.read() as Buffer | null
        assert.equal(socket.destroyed, false, `it was cut off after ${bytes} bytes`)
        bytes += taken?.length ?? 0
      }
      assert.ok(performance.now() - startMs > times.stalledMs, 'it was too quick to be cut off')
      socket.destroy()
    })
  })
}
