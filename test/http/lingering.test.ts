import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { lingeringClose } from '../../src/http/adapters/lingering.ts'
import { certificates } from '../harness/certificates.ts'

const answer = 'HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
const request = 'POST / HTTP/1.1\r\nHost: atrium\r\nContent-Length: 20000000\r\n\r\n'

for (const isEncrypted of [false, true]) {
  describe(`a connection that is closed ${isEncrypted ? 'over TLS' : 'in the clear'} while its client still sends`, () => {
    let server: Server
    let requests = 0
    let timeouts = { idleMs: 5000, maxMs: 5000 }
    let ended: Promise<unknown> | undefined
    before(async () => {
      const { certificate: cert, key } = certificates.first
      server = isEncrypted ? createTlsServer({ cert, key }) : createServer()
      server.on('request', ({ socket }) => {
        requests++
        ended = once(socket, 'close')
        lingeringClose(socket, answer, timeouts)
      })
      server.on('clientError', (_error, socket) => void socket.destroy())
      await once(server.listen(0, '127.0.0.1'), 'listening')
    })
    after(() => server.close())

    const client = async (): Promise<Socket> => {
      const place = { host: '127.0.0.1', port: (server.address() as AddressInfo).port, allowHalfOpen: true }
      const socket = isEncrypted ? connectTls({ ...place, rejectUnauthorized: false }) : connect(place)
      socket.on('error', () => {})
      await once(socket, isEncrypted ? 'secureConnect' : 'connect')
      return socket.pause()
    }

    test('the response arrives once all is sent, and bytes after the request are not a request', async () => {
      const socket = await client()
      const pipelined = 'GET / HTTP/1.1\r\nHost: atrium\r\n\r\n'
      const bytes = Buffer.concat([Buffer.from(request), Buffer.alloc(20_000_000, 'x'), Buffer.from(pipelined)])
      await new Promise((resolve, reject) =>
        socket.write(bytes, (error) => (error ? reject(error) : resolve(undefined))),
      )
      const chunks = await socket.toArray()
      socket.end()
      assert.equal(Buffer.concat(chunks).toString(), answer)
      await ended
      assert.equal(requests, 1)
    })

    test('an idle client is disconnected', async () => {
      timeouts = { idleMs: 50, maxMs: 60_000 }
      const socket = await client()
      socket.write(request)
      await once(server, 'request')
      await ended
      socket.destroy()
    })

    test('so is one that never stops sending', async () => {
      timeouts = { idleMs: 60_000, maxMs: 300 }
      const socket = await client()
      socket.write(request)
      await once(server, 'request')
      const sending = setInterval(() => socket.write('x'), 10)
      await ended
      clearInterval(sending)
      socket.destroy()
    })
  })
}
