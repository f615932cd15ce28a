import { isHost } from '../pipeline/host.ts'

/** The head of a simple request, one that the fast path can read: its request line and headers. */
export interface SimpleHead {
  method: string
  url: string
  headers: Record<string, string>
  bodyAt: number
  /** The length of the whole request, head and body, in bytes. */
  length: number
}

const maxHeadBytes = 2048
/** Requests with a longer body go to Node's server, which reads it only after all other checks. */
const maxBodyBytes = 65_536

/** Matches the beginning of every request that can be simple; all others pass to Node's server at once. */
const begins = /^(?:GET|POST|PUT|PATCH|DELETE) \/v1\//
/** The length of `DELETE /v1/`, the longest text that `begins` matches: enough to know if a request can be simple. */
const beginningLength = 11
/** Excludes `%`: only Node's server serves paths with escaped characters, so that one place decodes them. */
const requestLine = /^(GET|POST|PUT|PATCH|DELETE) (\/v1\/[\x21\x22\x24\x26-\x7e]*) HTTP\/1\.1\r\n/
/** Stricter than RFC 9110: names of letters, digits and hyphens, one space, printable ASCII. Node parses the rest. */
const headerLines = /^(?:[A-Za-z0-9-]+: [\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\r\n)+$/

/** Headers that change the protocol, or where a message ends. The fast path reads no request with one of them. */
const framing = ['transfer-encoding', 'expect', 'upgrade', 'trailer', 'te', 'http2-settings', 'proxy-connection']

/** Returns 'incomplete' if more bytes are needed; undefined for any other head, which Node's server parses. */
export function parseSimpleHead(bytes: Buffer): SimpleHead | 'incomplete' | undefined {
  const text = bytes.toString('latin1', 0, maxHeadBytes)
  const end = text.indexOf('\r\n\r\n') + 2
  if (end === 1) {
    const canBeSimple = text.length < beginningLength || begins.test(text)
    return canBeSimple && text.length < maxHeadBytes ? 'incomplete' : undefined
  }
  const first = requestLine.exec(text)
  if (first === null) return undefined
  const [line, method = '', url = ''] = first
  const headers = parseHeaders(text.slice(line.length, end))
  if (headers === undefined) return undefined
  const announced = headers['content-length'] ?? '0'
  const bodyLength = Number(announced)
  if (String(bodyLength) !== announced || bodyLength > maxBodyBytes) return undefined
  return { method, url, headers, bodyAt: end + 2, length: end + 2 + bodyLength }
}

/**
 * Returns undefined if Host is missing or invalid, if a header is repeated, or if one closes the connection or changes
 * where the request ends.
 */
function parseHeaders(lines: string): Record<string, string> | undefined {
  if (!headerLines.test(lines)) return undefined
  const headers: Record<string, string> = {}
  for (let at = 0; at < lines.length; ) {
    const colon = lines.indexOf(':', at)
    const lineEnd = lines.indexOf('\r\n', colon)
    const name = lines.slice(at, colon).toLowerCase()
    if (headers[name] !== undefined || framing.includes(name)) return undefined
    headers[name] = lines.slice(colon + 2, lineEnd)
    at = lineEnd + 2
  }
  const { host, connection } = headers
  const isKept = connection === undefined || connection.toLowerCase() === 'keep-alive'
  return host !== undefined && isHost(host) && isKept ? headers : undefined
}
