import { hash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isObject, parseJson } from '../domain/json.ts'
import { Refusal, refusalAt } from '../domain/refusal.ts'

export interface LegacyBody {
  /** The content of the single key that counts; others are ignored. */
  value: unknown
  /** Of its bytes. */
  hash(): string
}

const jsonType = /^application\/json\s*(;.*)?$/i
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads and parses the body, now that everything else has been found in order. */
export async function parseLegacyBody(
  { headers, bytes }: { headers: IncomingHttpHeaders; bytes(): Promise<Buffer> },
  { jsonDepth: maxDepth }: { jsonDepth: number },
): Promise<LegacyBody> {
  if (!jsonType.test(headers['content-type'] ?? '')) {
    throw new Refusal('body_type_unsupported', 'The body must be sent with "Content-Type: application/json".')
  }
  const read = await bytes()
  const body = parseJson(decode(read), { pointer: '', maxDepth, malformed: 'body_not_json' })
  if (!isObject(body)) throw refusalAt('body_not_object', '', 'The body must be a JSON object with the key "value".')
  if (!Object.hasOwn(body, 'value')) {
    throw refusalAt('value_missing', '/value', 'The key "value" is missing.')
  }
  return { value: body.value, hash: () => hash('sha256', read, 'hex') }
}

/** Takes the body off the socket, where it was left until now. */
export function collectBody(request: IncomingMessage, bodyBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytes) return Promise.reject(tooLarge(bodyBytes))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= bodyBytes) return
      // The rest is left where it is: the answer ends the connection.
      request.removeAllListeners('data').pause()
      reject(tooLarge(bodyBytes))
    })
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    const broken = () => reject(new Refusal('request_timeout', 'The body did not arrive completely.'))
    request.on('error', broken)
    request.on('close', () => request.complete || broken())
  })
}

function tooLarge(bodyBytes: number): Refusal {
  return new Refusal('body_too_large', `The body must have at most ${bodyBytes} bytes.`)
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw refusalAt('body_not_json', '', 'The body is not valid UTF-8.')
  }
}
