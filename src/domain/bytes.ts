/** Bytes that can be transferred to a thread. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

export function bytesOf(text: string): Bytes {
  return encoder.encode(text)
}

/** Returns the same bytes as a Buffer. */
export function asBuffer({ buffer, byteOffset, length }: Bytes): Buffer<ArrayBuffer> {
  return Buffer.from(buffer, byteOffset, length)
}

export function textOf(bytes: Bytes): string {
  return asBuffer(bytes).toString()
}

export function areEqual(one: Bytes, other: Bytes): boolean {
  return Buffer.compare(one, other) === 0
}
