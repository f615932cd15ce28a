import { type PlainHeaders, plainHeaders } from './plain-headers.ts'

/** A request of `/v1` that has nothing unusual about it. */
export interface PlainRequest {
  method: string
  url: string
  headers: PlainHeaders
  body: Buffer
}

/** Less than any server would take. */
const headBytesAtMost = 2048
/** Without escapes and fragments, which the router has its own ways with. */
const requestLine = /^(GET|POST|PATCH|DELETE) (\/v1\/[\x21\x22\x24\x26-\x7e]*) HTTP\/1\.1\r\n/
/** Names of letters, digits and hyphens, one space, visible characters. Much else is allowed; it is read elsewhere. */
const plainLines = /^(?:[A-Za-z0-9-]+: [\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\r\n)+$/

/** One whole request of the plainest form and not a byte more; nothing when these bytes are anything else. */
export function plainRequest(bytes: Buffer): PlainRequest | undefined {
  const text = bytes.toString('latin1', 0, headBytesAtMost)
  const end = text.indexOf('\r\n\r\n') + 2
  const first = end === 1 ? null : requestLine.exec(text)
  if (first === null) return undefined
  const [line, method = '', url = ''] = first
  const lines = text.slice(line.length, end)
  const headers = plainLines.test(lines) ? plainHeaders(rawHeadersIn(lines)) : undefined
  const body = bytes.subarray(end + 2)
  if (headers === undefined || String(body.length) !== (headers['content-length'] ?? '0')) return undefined
  return { method, url, headers, body }
}

function rawHeadersIn(lines: string): string[] {
  const raw: string[] = []
  for (let at = 0; at < lines.length; ) {
    const colon = lines.indexOf(':', at)
    const lineEnd = lines.indexOf('\r\n', colon)
    raw.push(lines.slice(at, colon), lines.slice(colon + 2, lineEnd))
    at = lineEnd + 2
  }
  return raw
}
