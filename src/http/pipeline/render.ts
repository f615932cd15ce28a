import type { IncomingHttpHeaders } from 'node:http'
import type { CachedEtag, CachedResponse } from '../../cache/response-cache.ts'
import type { EstateCache } from '../../storage/cached/estate-cache.ts'
import { chooseEncoding, compress, type Encoding } from './compression.ts'
import { matchesEtag } from './conditions.ts'
import { type ApiResponse, noBody } from './request.ts'

/** The successful result of a handler, always with status 200. `renderResult` makes the response of it. */
export interface EndpointResult {
  /** The body, or only its ETag (CachedEtag) if the cache has evicted it: the response must then be a 304. */
  body: string | Buffer | CachedResponse | CachedEtag
  etag?: string | undefined
  headers?: Record<string, string>
}

const jsonType = 'application/json; charset=utf-8'
const readCaching = 'private, no-cache'
export const varies = 'Authorization, Accept-Encoding'

export function varyFor(corsOrigins: readonly string[]): string {
  return corsOrigins.length > 0 ? `Origin, ${varies}` : varies
}

/** Makes the response: adds ETag and caching headers and compresses. Returns a 304 if If-None-Match has the ETag. */
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
  const all: Record<string, string> = {
    ...result.headers,
    vary,
    'cache-control': isReading ? readCaching : 'no-store',
    ...(etag !== undefined && { etag: encodedEtag(etag, encoding) }),
  }
  if (isReading && etag !== undefined && matchesEtag(headers['if-none-match'], etag)) {
    return { status: 304, headers: all, body: noBody }
  }
  all['content-type'] = jsonType
  if (encoding === undefined) {
    return { status: 200, headers: all, body: bytesOf(body) }
  }
  all['content-encoding'] = encoding
  return encode(cache, body, encoding).then((encoded) => ({ status: 200, headers: all, body: encoded }))
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
  if (body.body === undefined) throw new Error('a cached ETag has no body')
  return body.body
}

/** Returns an ETag such as `"abc.gzip"`: a strong one identifies exact bytes (RFC 9110, section 8.8.1). */
function encodedEtag(etag: string, encoding: Encoding | undefined): string {
  return encoding === undefined ? etag : `${etag.slice(0, -1)}.${encoding}"`
}
