import { varyFor } from './render.ts'
import { type ApiRequest, type ApiResponse, noBody } from './request.ts'

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
  preflight(request: ApiRequest): ApiResponse | undefined
  headers(request: ApiRequest): Record<string, string> | undefined
}

/** Allows web pages of these origins to call `/v1`. Cookies are not allowed, since the token is in a header. */
export function cors(origins: readonly string[]): Cors {
  if (origins.length === 0) return { preflight: () => undefined, headers: () => undefined }
  const vary = { vary: varyFor(origins) }
  const isAllowed = ({ headers }: ApiRequest) => headers.origin !== undefined && origins.includes(headers.origin)
  return {
    preflight: (request) => {
      const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
      if (!isPreflight || !isAllowed(request)) return undefined
      const headers = {
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
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
