import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { startDelayedProxy } from '../../bench/delayed-proxy.ts'

/** Starts a server that echoes its input at the end of the input. */
const server = createServer({ allowHalfOpen: true }, async (socket) => socket.end(await buffer(socket)))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const target = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }

async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  return socket
}

describe('the proxy that delays', () => {
  after(() => server.close())

  test('passes every byte and each end on, in order', async () => {
    const proxy = await startDelayedProxy(target, 2)
    const socket = await connected(proxy.port)
    const sent = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
    for (let at = 0; at < sent.length; at += 1000) socket.write(sent.subarray(at, at + 1000))
    socket.end()
    assert.deepEqual(await buffer(socket), sent)
    await proxy.stop()
  })

  test('ends its connections when it stops', async () => {
    const proxy = await startDelayedProxy(target, 2)
    const socket = await connected(proxy.port)
    socket.on('error', () => {})
    const closed = once(socket, 'close')
    socket.resume().on('end', () => socket.end())
    await proxy.stop()
    await closed
  })
})
