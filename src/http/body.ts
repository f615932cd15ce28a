import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isObject, parseJson } from '../domain/json.ts'
import { Refusal, refusalAt } from '../domain/refusal.ts'

export interface LegacyBody {
  /** The content of the single key that counts; others are ignored. */
  value: unknown
  hash: string
}

const jsonType = /^application\/json\s*(;.*)?$/i
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads the body that was left on the socket until now, when everything else has been found in order. */
export async function readLegacyBody(
  request: IncomingMessage,
  limits: { bodyBytes: number; jsonDepth: number },
): Promise<LegacyBody> {
  if (!jsonType.test(request.headers['content-type'] ?? '')) {
    throw new Refusal('body_type_unsupported', 'The body must be sent with "Content-Type: application/json".')
  }
  const bytes = await collect(request, limits.bodyBytes)
  const body = parseJson(decode(bytes), { pointer: '', maxDepth: limits.jsonDepth, malformed: 'body_not_json' })
  if (!isObject(body)) throw refusalAt('body_not_object', '', 'The body must be a JSON object with the key "value".')
  if (!Object.hasOwn(body, 'value')) {
    throw refusalAt('value_missing', '/value', 'The key "value" is missing.')
  }
  return { value: body.value, hash: createHash('sha256').update(bytes).digest('hex') }
}

async function collect(request: IncomingMessage, bodyBytes: number): Promise<Buffer> {
  const tooLarge = new Refusal('body_too_large', `The body must have at most ${bodyBytes} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > bodyBytes) throw tooLarge
  const chunks: Buffer[] = []
  let size = 0
  try {
    // Left before its end, the stream would be destroyed and the answer with it.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > bodyBytes) throw tooLarge
      chunks.push(chunk)
    }
  } catch (error) {
    throw request.complete || error === tooLarge
      ? error
      : new Refusal('request_timeout', 'The body did not arrive completely.')
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw refusalAt('body_not_json', '', 'The body is not valid UTF-8.')
  }
}
