import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { thriftySocket } from '../../src/storage/postgres/socket.ts'

describe('a socket that reads into one piece of memory', () => {
  it('gives all that was sent, in order, and tells the end', async () => {
    const sent = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
    const { socket, close } = await connectedTo((peer) => peer.end(sent))
    const memory = new Set<ArrayBufferLike>()
    const copies: Buffer[] = []
    socket.on('data', (bytes: Buffer) => {
      memory.add(bytes.buffer)
      copies.push(Buffer.from(bytes))
    })
    await once(socket, 'end')
    assert.ok(Buffer.concat(copies).equals(sent))
    assert.ok(copies.length > 1)
    assert.equal(memory.size, 1)
    close()
  })

  it('sends, and is closed when its peer breaks off', async () => {
    const { socket, close } = await connectedTo((peer) => peer.once('data', () => peer.resetAndDestroy()))
    const failed = once(socket, 'error')
    socket.write('hello')
    const [error] = await failed
    assert.equal(error.code, 'ECONNRESET')
    assert.equal(socket.destroyed, true)
    close()
  })
})

async function connectedTo(serve: (peer: Socket) => void) {
  const server = createServer(serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = thriftySocket()
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1')
  return { socket, close: () => server.close() }
}
