/** The head of a simple request. */
export interface SimpleHead {
  method: string
  url: string
  headers: Record<string, string>
  /** Offset of the body. */
  bodyAt: number
  /** Bytes of head and body. */
  length: number
}

export const maxHeadBytes = 2048
/** A larger body is read by Node's server, only after the caller has passed every other check. */
const maxBodyBytes = 65_536

/** Matches the first bytes of every request that can be simple. */
const begins = /^(?:GET|POST|PUT|PATCH|DELETE) \/v1\//
/** The length of the longest match of `begins`, `DELETE /v1/`. */
const beginningLength = 11
/** Without `%`: escaped characters are left to Node's server, so that there is one place that decodes them. */
const requestLine = /^(GET|POST|PUT|PATCH|DELETE) (\/v1\/[\x21\x22\x24\x26-\x7e]*) HTTP\/1\.1\r\n/
/**
 * Stricter than RFC 9110: names of letters, digits and hyphens, one space, printable ASCII. Node's parser reads all
 * else.
 */
const headerLines = /^(?:[A-Za-z0-9-]+: [\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\r\n)+$/

/** Headers that change how a request or its response is framed. */
const framing = ['transfer-encoding', 'expect', 'upgrade', 'trailer', 'te', 'http2-settings', 'proxy-connection']

/**
 * Parses the head of a request of the simplest form that HTTP/1.1 allows. Returns 'incomplete' when more bytes are
 * needed, and undefined for anything else, or when in doubt: Node's parser then decides.
 */
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

/** Returns undefined when a header is repeated, changes the framing, or ends the connection, or Host is missing. */
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
  return host !== undefined && isKept ? headers : undefined
}
