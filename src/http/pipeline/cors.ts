import { varyFor } from './render.ts'
import type { ApiRequest } from './request.ts'
import { type ApiResponse, noBody } from './request.ts'

const exposed = [
  'ETag',
  'Link',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotency-Replayed',
  'Deprecation',
  'Sunset',
].join(', ')
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Atrium-Cycle',
  'X-Request-Id',
  'Last-Event-ID',
  'traceparent',
].join(', ')

interface Cors {
  /** The answer to a browser that asks whether it may send a request. */
  preflight(request: ApiRequest): ApiResponse | undefined
  headers(request: ApiRequest): Record<string, string> | undefined
}

/** Lets pages of the named origins call `/v1`. Tokens travel in a header, so no credentials mode is needed. */
export function cors(origins: readonly string[]): Cors {
  if (origins.length === 0) return { preflight: () => undefined, headers: () => undefined }
  const vary = { vary: varyFor(origins) }
  const isAllowed = ({ headers }: ApiRequest) => headers.origin !== undefined && origins.includes(headers.origin)
  return {
    preflight: (request) => {
      const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
      if (!isPreflight || !isAllowed(request)) return undefined
      const headers = {
        'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
        'access-control-allow-headers': allowedHeaders,
        'access-control-max-age': '600',
      }
      return { status: 204, headers, body: noBody }
    },
    headers: (request) =>
      isAllowed(request)
        ? {
            ...vary,
            'access-control-allow-origin': request.headers.origin as string,
            'access-control-expose-headers': exposed,
          }
        : vary,
  }
}
