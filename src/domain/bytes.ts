import { crc32 } from 'node:zlib'

/** With memory of their own, which can be handed to another thread. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

export function bytesOf(text: string): Bytes {
  return encoder.encode(text)
}

/** What a database's server says of a row before it comes to its bytes. */
const besideAtMost = 16

/** Whether all of their memory is theirs, but for next to nothing: of short ones others often have a part. */
export function hasOwnMemory(bytes: Uint8Array): bytes is Bytes {
  return bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength - bytes.length <= besideAtMost
}

/** Gives memory back at once: V8 would look through all that it holds to find it out. Nobody can read it afterwards. */
export function release({ buffer }: { buffer: ArrayBuffer }): void {
  buffer.transfer(0)
}

/** The same bytes, as Node's own functions like them. */
export function asBuffer({ buffer, byteOffset, length }: Bytes): Buffer<ArrayBuffer> {
  return Buffer.from(buffer, byteOffset, length)
}

export function textOf(bytes: Bytes): string {
  return asBuffer(bytes).toString()
}

export function areSame(one: Bytes, other: Bytes): boolean {
  return Buffer.compare(one, other) === 0
}

/** Tells whether bytes that nobody chose for it are others: a number of 32 bits. */
export function checkOf(bytes: Uint8Array): number {
  return crc32(bytes)
}
