import type { RefusalCode } from '../../domain/refusal.ts'
import type { Endpoint } from '../partner/endpoint.ts'
import { problemOf } from '../pipeline/errors.ts'
import { type Json, ref } from './json-schema.ts'
import { samples } from './problem-examples.ts'

const text = (description: string, example: string, more: Json = {}) => ({
  description,
  schema: { type: 'string' },
  example,
  ...more,
})
const count = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
})

const headers = {
  'X-Request-Id': text(
    "The id of the request: the caller's, or a generated one.",
    '7f0c1d9e-2b4a-4c38-9a57-1e6f80d3b2a4',
    {
      required: true,
    },
  ),
  'X-Content-Type-Options': text('Always `nosniff`.', 'nosniff', { required: true }),
  'Content-Security-Policy': text(
    'Restricts what a page may load to what it needs, from this service only.',
    "default-src 'none'; frame-ancestors 'none'",
    { required: true },
  ),
  'Referrer-Policy': text('Always `no-referrer`.', 'no-referrer', { required: true }),
  'Cross-Origin-Resource-Policy': text('Always `same-origin`.', 'same-origin', { required: true }),
  'Strict-Transport-Security': text('Only over TLS.', 'max-age=31536000'),
  'Permissions-Policy': text('The devices that a page may use: none.', 'camera=(), microphone=()'),
  'Cache-Control': text('How the response may be cached.', 'private, no-cache'),
  ETag: text('Strong validator of the resource.', '"u2rM0mJq1xQZ7c9Yw4kT5hVbN8E"'),
  Vary: text('The request headers on which the response depends.', 'Authorization, Accept-Encoding'),
  'Content-Encoding': text('`zstd`, `br` or `gzip` if the body was compressed.', 'br'),
  Link: text('The next page; absent on the last one.', '</v1/facilities/?limit=1&cursor=WyJmIiwxXQ>; rel="next"'),
  RateLimit: text(
    'Requests left (`r`) and seconds until the bucket is full (`t`). Absent when there is no rate limit.',
    '"partner";r=987;t=1',
  ),
  'RateLimit-Policy': text('Size of the bucket (`q`), and seconds in which it fills (`w`).', '"partner";q=1000;w=10'),
  'Retry-After': count('Seconds to wait before the next attempt.', 1),
  Allow: text('The methods that the path takes.', 'GET, HEAD'),
  'WWW-Authenticate': text('The challenge (RFC 6750).', 'Bearer realm="atrium", error="invalid_token"'),
  'Idempotency-Replayed': text('`true` when this is the stored response of the first request with the key.', 'true', {
    schema: { type: 'string', enum: ['true'] },
  }),
  Deprecation: text('Since when the route is deprecated (RFC 9745); absent otherwise.', '@1798761600'),
  Sunset: text('When the route will be removed (RFC 8594), if that is decided.', 'Sat, 01 Jan 2028 00:00:00 GMT'),
  'X-Total-Count': count('Length of the whole list or file, in items or rows.', 417),
  'Content-Disposition': text('The name of the file.', 'attachment; filename="audit.csv"'),
  'Set-Cookie': text('The cookie of the session.', 'atrium_session=…; Path=/; HttpOnly; SameSite=Strict'),
  'Access-Control-Allow-Origin': text('Always `*`.', '*'),
} satisfies Record<string, Json>

export type ResponseHeader = keyof typeof headers

const ofCms: ResponseHeader[] = ['X-Total-Count', 'Set-Cookie', 'Content-Disposition']
const ofPartners: ResponseHeader[] = [
  'Permissions-Policy',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
  'Deprecation',
  'Sunset',
  'Access-Control-Allow-Origin',
]

export function headerComponents(api: 'partner' | 'cms'): Json {
  const others = api === 'cms' ? ofPartners : ofCms
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !others.includes(name as ResponseHeader)))
}

function headerRefs(names: ResponseHeader[]): Json {
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
}

const always: ResponseHeader[] = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Content-Security-Policy',
  'Referrer-Policy',
  'Cross-Origin-Resource-Policy',
  'Strict-Transport-Security',
  'Cache-Control',
]
const rate: ResponseHeader[] = ['RateLimit', 'RateLimit-Policy']
const ending: ResponseHeader[] = ['Deprecation', 'Sunset']

export function pageHeaders(more: ResponseHeader[]): Json {
  return headerRefs([...always, ...more])
}

export function successHeaders({ response, query, idempotent }: Endpoint): Json {
  return headerRefs([
    ...always,
    ...(response.etag ? (['ETag'] as const) : []),
    'Vary',
    'Content-Encoding',
    ...paging(query),
    ...(idempotent ? (['Idempotency-Replayed'] as const) : []),
    ...rate,
    ...ending,
  ])
}

export function cmsHeaders(more: ResponseHeader[]): Json {
  return headerRefs([...always, 'ETag', 'Vary', ...more])
}

export function streamHeaders(type: string): Json {
  const counted = type === 'application/gzip' ? (['X-Total-Count'] as const) : []
  return headerRefs([...always, 'Vary', 'Content-Disposition', ...counted])
}

/** Returns the headers of a 304. They include Link: an unchanged page can meanwhile have a next one. */
export function unchangedHeaders({ query }: Endpoint): Json {
  return headerRefs([...always, 'ETag', 'Vary', ...paging(query), ...rate, ...ending])
}

function paging(query: Endpoint['query']): ResponseHeader[] {
  return query.includes('cursor') ? ['Link'] : []
}

/** Statuses of errors before authentication: no partner is known yet, so they have no headers about its rate limit. */
const early = new Set([401, 405, 408, 431])
export type ApiName = 'partner' | 'service' | 'cms'

export function problemHeaders(status: number, codes: RefusalCode[], api: ApiName): Json {
  const sent = new Set(codes.flatMap((code) => Object.keys(problemOf(samples[code], '').headers)))
  const own = (Object.keys(headers) as ResponseHeader[]).filter((name) => sent.has(name.toLowerCase()))
  return headerRefs([
    ...always,
    ...own,
    ...(api === 'partner' && !early.has(status) ? [...rate, ...ending] : []),
    ...(api === 'partner' && status === 401 ? ending : []),
  ])
}
