/** The headers that `/v1` knows, by their names in lower case, of a request that has nothing unusual about it. */
export type PlainHeaders = Partial<Record<KnownHeader, string>> & { host: string }

type KnownHeader = (typeof knownHeaders)[number]

const knownHeaders = [
  'host',
  'authorization',
  'accept-encoding',
  'if-none-match',
  'if-match',
  'atrium-cycle',
  'idempotency-key',
  'x-request-id',
  'traceparent',
  'content-type',
  'content-length',
  'connection',
  'x-forwarded-for',
  'x-forwarded-proto',
] as const

/** Headers that change how a request is read, or who may read the answer. */
const unusual = ['transfer-encoding', 'expect', 'upgrade', 'trailer', 'te', 'origin', 'http2-settings']

const places = new Map<string, KnownHeader | 'unusual'>([
  ...knownHeaders.map((name) => [name, name] as const),
  ...unusual.map((name) => [name, 'unusual'] as const),
])

/** Nothing when there is any doubt, such as a header that is there twice: the whole way knows what to do. */
export function plainHeaders(rawHeaders: readonly string[]): PlainHeaders | undefined {
  const found: Partial<Record<KnownHeader, string>> = {}
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] as string
    const name = places.get(raw) ?? places.get(raw.toLowerCase())
    if (name === undefined) continue
    if (name === 'unusual' || found[name] !== undefined) return undefined
    found[name] = rawHeaders[at + 1] as string
  }
  const { host, connection } = found
  if (host === undefined || (connection !== undefined && connection.toLowerCase() !== 'keep-alive')) return undefined
  return found as PlainHeaders
}
