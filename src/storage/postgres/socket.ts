import { Socket } from 'node:net'

/** What the system hands over at a time at most. */
const readBytes = 64 * 1024

/**
 * A socket that reads all that comes into the same memory, which whoever listens has to be done with before he returns.
 * Node's own would make new memory of this size for each piece that comes.
 */
export function thriftySocket(): Socket {
  const socket: Socket = new Socket({
    onread: {
      buffer: Buffer.allocUnsafeSlow(readBytes),
      callback: (length, bytes) => {
        socket.emit('data', bytes.subarray(0, length))
        return true
      },
    },
  })
  return socket
}
