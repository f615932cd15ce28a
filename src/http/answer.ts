import type { IncomingHttpHeaders } from 'node:http'
import type { Memory } from '../storage/memory/memory.ts'
import type { ReadyAnswer } from '../storage/memory/ready-answer.ts'
import { chooseEncoding, compress, type Encoding } from './compression.ts'
import { isKnown } from './conditions.ts'
import { type ApiResponse, noBody } from './pipeline/request.ts'

/** What an endpoint answers; the status of every success is 200. */
export interface Answer {
  /** Text, bytes that nobody else has, or bytes that are kept for the next who asks. */
  body: string | Buffer | ReadyAnswer
  etag?: string | undefined
  headers?: Record<string, string>
}

export const jsonType = 'application/json; charset=utf-8'
export const readCaching = 'private, no-cache'
export const varies = 'Authorization, Accept-Encoding'

/** Where pages of other origins may ask, answers differ by theirs too. */
export function varyFor(corsOrigins: readonly string[]): string {
  return corsOrigins.length > 0 ? `Origin, ${varies}` : varies
}

/** A read may be known to the caller already, and a large body is compressed if the caller likes. */
export function renderAnswer(
  memory: Memory,
  { method, headers }: { method: string; headers: IncomingHttpHeaders },
  answer: Answer,
  vary: string,
): ApiResponse | Promise<ApiResponse> {
  const { body } = answer
  const isReading = method === 'GET' || method === 'HEAD'
  const encoding = chooseEncoding(headers['accept-encoding'], body.length)
  const etag = isKept(body) ? body.etag : answer.etag
  const shown: Record<string, string> = {
    ...answer.headers,
    vary,
    'cache-control': isReading ? readCaching : 'no-store',
    ...(etag !== undefined && { etag: marked(etag, encoding) }),
  }
  if (isReading && etag !== undefined && isKnown(headers['if-none-match'], etag)) {
    return { status: 304, headers: shown, body: noBody }
  }
  shown['content-type'] = jsonType
  if (encoding === undefined) {
    return { status: 200, headers: shown, body: bytesOf(body) }
  }
  shown['content-encoding'] = encoding
  return encode(memory, body, encoding).then((encoded) => ({ status: 200, headers: shown, body: encoded }))
}

function isKept(body: Answer['body']): body is ReadyAnswer {
  return typeof body !== 'string' && !(body instanceof Uint8Array)
}

async function encode(memory: Memory, body: Answer['body'], encoding: Encoding): Promise<Buffer> {
  if (!isKept(body)) {
    return compress(bytesOf(body), encoding)
  }
  const encoded = body.encoded?.get(encoding) ?? (await compress(bytesOf(body), encoding))
  memory.answers.keepEncoded(body, encoding, encoded)
  return encoded
}

function bytesOf(body: Answer['body']): Buffer {
  if (typeof body === 'string') return Buffer.from(body)
  return isKept(body) ? body.body : body
}

/** A strong tag stands for exact bytes, so each encoding has its own. Our tags hold no dot but this one. */
export function marked(etag: string, encoding: Encoding | undefined): string {
  return encoding === undefined ? etag : `${etag.slice(0, -1)}.${encoding}"`
}
