import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { MIMEParams, MIMEType } from 'node:util'
import { Refusal } from '../../domain/refusal.ts'

type ReadBytes = () => Promise<Buffer>

/** Reads a JSON body. Called last, so that a caller who is refused for another reason sends no body. */
export async function readBody(headers: IncomingHttpHeaders, bytes: ReadBytes, or?: MergePatch): Promise<Buffer> {
  return readTyped(isMergePatch(headers, or) ? mergePatchType : 'application/json', headers, bytes)
}

/** The media type of a JSON Merge Patch (RFC 7396), which some routes take beside `application/json`. */
export const mergePatchType = 'application/merge-patch+json'
type MergePatch = typeof mergePatchType

function isMergePatch({ 'content-type': type = '' }: IncomingHttpHeaders, or: MergePatch | undefined): boolean {
  return or !== undefined && parseType(type).essence === or
}

/** Reads a body of this media type. Throws `body_type_unsupported` (415) unless it is UTF-8 and not compressed. */
export async function readTyped<T>(wanted: string, headers: IncomingHttpHeaders, read: () => Promise<T>): Promise<T> {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers
  if (type !== wanted) requireType(type, wanted)
  if (coding.trim().toLowerCase() !== 'identity') {
    throw new Refusal('body_type_unsupported', 'The body must be sent as it is, without Content-Encoding.')
  }
  return read()
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

/** Reads the body from the socket. Until this is called, unread bytes stay in the socket's buffer. */
export function collectBody(request: IncomingMessage, bodyBytes: number): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > bodyBytes) return Promise.reject(tooLarge(bodyBytes))
  return new Promise((resolve, reject) => {
    const body = new BodyBuffer(length)
    request.on('data', (chunk: Buffer) => {
      body.add(chunk)
      if (body.length <= bodyBytes) return
      // The rest stays unread: the response closes the connection.
      request.removeAllListeners('data').pause()
      reject(tooLarge(bodyBytes))
    })
    request.on('end', () => resolve(body.bytes()))
    const broken = () => reject(new Refusal('request_timeout', 'The body did not arrive completely.'))
    request.on('error', broken)
    request.on('close', () => request.complete || broken())
  })
}

/**
 * Yields the chunks of a body as they arrive, for bodies that are not kept in memory. A reader that stops leaves the rest
 * unread, so that a response can still be sent.
 */
export async function* bodyChunks(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* request.iterator({ destroyOnReturn: false })
  } catch {
    throw new Refusal('request_timeout', 'The body did not arrive completely.')
  }
}

/** First allocation for a body. Its Content-Length is not trusted with more: the bytes need not come. */
const firstBytes = 65_536

/**
 * A growing buffer into which the chunks of a body are copied as they arrive. Collecting chunks and joining them at the
 * end would hold a long body twice, and let its chunks grow old enough that only a full garbage collection frees them.
 */
class BodyBuffer {
  readonly #contentLength: number
  #memory: Buffer<ArrayBuffer>
  length = 0

  /** Content-Length, or 0 for a chunked body. */
  constructor(contentLength: number) {
    this.#contentLength = contentLength
    this.#memory = Buffer.allocUnsafeSlow(Math.min(contentLength, firstBytes))
  }

  add(chunk: Buffer): void {
    const length = this.length + chunk.length
    if (length > this.#memory.length) this.#grow(Math.min(2 * length, this.#contentLength || Infinity))
    chunk.copy(this.#memory, this.length)
    this.length = length
  }

  bytes(): Buffer {
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
