import type { IncomingHttpHeaders } from 'node:http'
import type { CachedEtag, CachedResponse } from '../../cache/response-cache.ts'
import type { EstateCache } from '../../storage/cached/estate-cache.ts'
import { chooseEncoding, compress, type Encoding } from './compression.ts'
import { isKnown } from './conditions.ts'
import { type ApiResponse, noBody } from './request.ts'

/** What an endpoint answers; the status of every success is 200. */
export interface EndpointResult {
  /** Text, bytes, a cached response, or its ETag alone for a caller that knows it. */
  body: string | Buffer | CachedResponse | CachedEtag
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
export function renderResult(
  cache: EstateCache,
  { method, headers }: { method: string; headers: IncomingHttpHeaders },
  result: EndpointResult,
  vary: string,
): ApiResponse | Promise<ApiResponse> {
  const { body } = result
  const isReading = method === 'GET' || method === 'HEAD'
  const encoding = chooseEncoding(headers['accept-encoding'], body.length)
  const etag = isCached(body) ? body.etag : result.etag
  const shown: Record<string, string> = {
    ...result.headers,
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
  return encode(cache, body, encoding).then((encoded) => ({ status: 200, headers: shown, body: encoded }))
}

function isCached(body: EndpointResult['body']): body is CachedResponse | CachedEtag {
  return typeof body !== 'string' && !(body instanceof Uint8Array)
}

async function encode(cache: EstateCache, body: EndpointResult['body'], encoding: Encoding): Promise<Buffer> {
  if (!isCached(body) || body.body === undefined) return compress(bytesOf(body), encoding)
  const known = body.encoded?.get(encoding)
  if (known !== undefined) return known
  const encoded = await compress(body.body, encoding)
  cache.responses.addEncoding(body, encoding, encoded)
  return encoded
}

function bytesOf(body: EndpointResult['body']): Buffer {
  if (typeof body === 'string') return Buffer.from(body)
  if (!isCached(body)) return body
  if (body.body === undefined) throw new Error('an ETag alone is no body')
  return body.body
}

/** A strong tag stands for exact bytes, so each encoding has its own. Our tags hold no dot but this one. */
export function marked(etag: string, encoding: Encoding | undefined): string {
  return encoding === undefined ? etag : `${etag.slice(0, -1)}.${encoding}"`
}
