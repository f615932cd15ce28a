import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { release } from '../domain/bytes.ts'
import { Refusal } from '../domain/refusal.ts'

const jsonType = /^application\/json\s*(;.*)?$/i

/** Reads the body, now that everything else has been found in order. */
export async function readBody(headers: IncomingHttpHeaders, bytes: () => Promise<Buffer>): Promise<Buffer> {
  if (!jsonType.test(headers['content-type'] ?? '')) {
    throw new Refusal('body_type_unsupported', 'The body must be sent with "Content-Type: application/json".')
  }
  return bytes()
}

/** Takes the body off the socket, where it was left until now. */
export function collectBody(request: IncomingMessage, bodyBytes: number): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > bodyBytes) return Promise.reject(tooLarge(bodyBytes))
  return new Promise((resolve, reject) => {
    const body = new Gathered(length)
    request.on('data', (chunk: Buffer) => {
      body.add(chunk)
      if (body.length <= bodyBytes) return
      // The rest is left where it is: the answer ends the connection.
      request.removeAllListeners('data').pause()
      reject(tooLarge(bodyBytes))
    })
    request.on('end', () => resolve(body.whole()))
    const broken = () => reject(new Refusal('request_timeout', 'The body did not arrive completely.'))
    request.on('error', broken)
    request.on('close', () => request.complete || broken())
  })
}

/** What is taken for a body whose end nobody has seen yet: what is announced need not come. */
const firstBytes = 65_536

/**
 * The pieces of a body. They are put where they belong as they come: a long one would else be there twice, and its pieces
 * for long enough that V8 has to look through all that it holds to find out that they can go.
 */
class Gathered {
  readonly #announced: number
  #memory: Buffer<ArrayBuffer>
  length = 0

  /** The length that was announced, or 0. */
  constructor(announced: number) {
    this.#announced = announced
    this.#memory = Buffer.allocUnsafeSlow(Math.min(announced, firstBytes))
  }

  add(piece: Buffer): void {
    const length = this.length + piece.length
    if (length > this.#memory.length) this.#grow(Math.min(2 * length, this.#announced || Infinity))
    piece.copy(this.#memory, this.length)
    this.length = length
  }

  whole(): Buffer {
    return this.#memory.subarray(0, this.length)
  }

  #grow(length: number): void {
    const memory = Buffer.allocUnsafeSlow(length)
    this.#memory.copy(memory)
    release(this.#memory)
    this.#memory = memory
  }
}

function tooLarge(bodyBytes: number): Refusal {
  return new Refusal('body_too_large', `The body must have at most ${bodyBytes} bytes.`)
}
