/** Bytes that are not in a SharedArrayBuffer, so that they can be transferred to a worker thread without a copy. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

export function bytesOf(text: string): Bytes {
  return encoder.encode(text)
}

/** Returns a Buffer that shares the memory of these bytes. */
export function asBuffer({ buffer, byteOffset, length }: Bytes): Buffer<ArrayBuffer> {
  return Buffer.from(buffer, byteOffset, length)
}

export function textOf(bytes: Bytes): string {
  return asBuffer(bytes).toString()
}

export function areEqual(one: Bytes, other: Bytes): boolean {
  return Buffer.compare(one, other) === 0
}
