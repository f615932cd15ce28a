import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import { Refusal } from '../../domain/refusal.ts'

type ReadBytes = () => Promise<Buffer>

/** Reads a JSON body. Called after all other checks, so that a refused caller need not send it. */
export async function readBody(headers: IncomingHttpHeaders, bytes: ReadBytes, or?: MergePatch): Promise<Buffer> {
  return readTyped(or === undefined ? json : [...json, or], headers, bytes)
}

const json = ['application/json']

/** The media type of a JSON Merge Patch (RFC 7396), which some routes accept as well as `application/json`. */
export const mergePatchType = 'application/merge-patch+json'
type MergePatch = typeof mergePatchType

/** Throws `body_type_unsupported` also if the body is not in UTF-8 or is compressed. */
export async function readTyped<T>(
  types: readonly string[],
  headers: IncomingHttpHeaders,
  read: () => Promise<T>,
): Promise<T> {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers
  if (!types.includes(type)) requireType(type, types)
  if (coding.trim().toLowerCase() !== 'identity') {
    throw new Refusal('body_type_unsupported', 'The body must be sent as it is, without Content-Encoding.')
  }
  return read()
}

const utf8 = ['utf-8', 'utf8']

function requireType(type: string, types: readonly string[]): void {
  if (!types.includes(essenceOf(type))) {
    throw new Refusal('body_type_unsupported', `The body must be sent with "Content-Type: ${types.join('" or "')}".`)
  }
  if (!charsetsIn(type).every((charset) => utf8.includes(charset))) {
    const detail = 'The body must be in UTF-8, and its Content-Type must not say otherwise.'
    throw new Refusal('body_type_unsupported', detail)
  }
}

/** The maximum length of a Content-Type that is parsed: Node's parser takes seconds for 60 kB of white space. */
const maxTypeLength = 256

function essenceOf(type: string): string {
  try {
    return type.length <= maxTypeLength ? new MIMEType(type).essence : ''
  } catch {
    return ''
  }
}

/** Returns all charsets, also those that MIMEType ignores: a second one, and one with a space around the "=". */
function charsetsIn(type: string): string[] {
  const named = type.matchAll(/;\s*charset\s*=\s*("[^"]*"|[^\s;]*)/gi)
  return Array.from(named, ([, name = '']) => name.replaceAll('"', '').toLowerCase()).filter((name) => name !== '')
}

/** Reads the body into one buffer. Until this is called, the body stays unread, and the client has to wait. */
export function collectBody(request: IncomingMessage, bodyBytes: number): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > bodyBytes) return Promise.reject(tooLarge(bodyBytes))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes <= bodyBytes) return
      // Leaves the rest of the body unread: the connection is closed after the response.
      request.removeAllListeners('data').pause()
      reject(tooLarge(bodyBytes))
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    const broken = () => reject(new Refusal('request_timeout', 'The body did not arrive completely.'))
    request.on('error', broken)
    request.on('close', () => request.complete || broken())
  })
}

/** Yields the chunks of a body too long for memory. If the caller stops early, the connection stays open to respond. */
export async function* bodyChunks(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* request.iterator({ destroyOnReturn: false })
  } catch {
    throw new Refusal('request_timeout', 'The body did not arrive completely.')
  }
}

function tooLarge(bodyBytes: number): Refusal {
  return new Refusal('body_too_large', `The body must have at most ${bodyBytes} bytes.`)
}
