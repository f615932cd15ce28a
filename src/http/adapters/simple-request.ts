/** A whole request of the simplest form. */
export interface SimpleRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: Buffer
}

/** The head of a simple request, and how many bytes it and its body have together. */
export interface SimpleHead extends Omit<SimpleRequest, 'body'> {
  bodyAt: number
  length: number
}

export const maxHeadBytes = 2048
/** What is larger is left on the socket until the caller may send it. */
const maxBodyBytes = 65_536

/** Without escapes, whose decoding is left to the general path. */
const begins = /^(?:GET|POST|PUT|PATCH|DELETE) \/v1\//
/** As long as the longest that `begins` can match. */
const beginningLength = 11
const requestLine = /^(GET|POST|PUT|PATCH|DELETE) (\/v1\/[\x21\x22\x24\x26-\x7e]*) HTTP\/1\.1\r\n/
/** Names of letters, digits and hyphens, one space, visible characters. Much else is allowed; Node's parser reads it. */
const headerLines = /^(?:[A-Za-z0-9-]+: [\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\r\n)+$/

/** Headers that change how a request or its response is framed. */
const framing = ['transfer-encoding', 'expect', 'upgrade', 'trailer', 'te', 'http2-settings', 'proxy-connection']

/**
 * Parses the head of a request that has the simplest form an HTTP/1.1 request can have. Returns 'incomplete' when its end
 * has not come yet, and undefined when it is anything else, or in doubt: Node's parser decides what that is.
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

/** Returns undefined where a header comes twice, or says something about framing. */
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
