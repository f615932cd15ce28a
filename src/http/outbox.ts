import type { Socket } from 'node:net'
import { type Bytes, release } from '../domain/bytes.ts'

/** What is larger is not worth copying. */
const copiedAtMost = 65_536

type Reader = Pick<Socket, 'write' | 'cork' | 'uncork' | 'writableLength'> & { readonly encrypted?: boolean }

/**
 * Puts the head and the body of an answer together, so that they are written in one go and the body can be changed as soon
 * as it was sent. Most answers are taken by the system at once: they are all put together in the same place.
 */
export class Outbox {
  #free: Buffer | undefined

  /** `isOwn` when nobody else has the body, and its memory can be given back. */
  send(socket: Reader, head: string, body: Buffer, isOwn = false): void {
    const length = head.length + body.length
    if (length > copiedAtMost) return sendApart(socket, head, body)
    // Where it has to wait, or is encrypted first, it needs a place of its own.
    const isTaken = socket.writableLength > 0 || socket.encrypted === true
    const place = isTaken ? Buffer.allocUnsafe(length) : this.#place()
    place.write(head, 'latin1')
    place.set(body, head.length)
    if (isOwn) release(body as Bytes)
    socket.write(isTaken ? place : place.subarray(0, length))
    if (!isTaken && socket.writableLength > 0) this.#free = undefined
  }

  #place(): Buffer {
    this.#free ??= Buffer.allocUnsafeSlow(copiedAtMost)
    return this.#free
  }
}

function sendApart(socket: Reader, head: string, body: Buffer): void {
  socket.cork()
  socket.write(head, 'latin1')
  socket.write(body)
  socket.uncork()
}
