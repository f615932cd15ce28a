import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { MIMEParams, MIMEType } from 'node:util'
import { Refusal } from '../../domain/refusal.ts'

type ReadBytes = () => Promise<Buffer>

/** Reads a JSON body, once every other check is done. */
export async function readBody(headers: IncomingHttpHeaders, bytes: ReadBytes): Promise<Buffer> {
  return readTyped('application/json', headers, bytes)
}

/** Reads a body of this media type: in UTF-8 and not compressed, or it is 415. */
export async function readTyped(wanted: string, headers: IncomingHttpHeaders, bytes: ReadBytes): Promise<Buffer> {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers
  if (type !== wanted) requireType(type, wanted)
  if (coding.trim().toLowerCase() !== 'identity') {
    throw new Refusal('body_type_unsupported', 'The body must be sent as it is, without Content-Encoding.')
  }
  return bytes()
}

const utf8 = ['utf-8', 'utf8']

function requireType(type: string, wanted: string): void {
  const { essence, params } = parseType(type)
  if (essence !== wanted) {
    throw new Refusal('body_type_unsupported', `The body must be sent with "Content-Type: ${wanted}".`)
  }
  if (!utf8.includes((params.get('charset') ?? 'utf-8').toLowerCase())) {
    const detail = 'The body must be in UTF-8, and its Content-Type must not say otherwise.'
    throw new Refusal('body_type_unsupported', detail)
  }
}

function parseType(type: string): Pick<MIMEType, 'essence' | 'params'> {
  try {
    return new MIMEType(type)
  } catch {
    return { essence: '', params: new MIMEParams() }
  }
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
    this.#memory = memory
  }
}

function tooLarge(bodyBytes: number): Refusal {
  return new Refusal('body_too_large', `The body must have at most ${bodyBytes} bytes.`)
}
