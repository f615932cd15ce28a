import type { Sent } from '../../torture/wire.ts'
import type { FuzzRequest } from './requests.ts'

/** Returns the bytes of the request. */
export function written(request: FuzzRequest, tokens: Record<string, string>): Sent {
  const { method, as, body, isLatin1 } = request
  const bytes = body === undefined ? undefined : Buffer.from(body, isLatin1 ? 'latin1' : 'utf8')
  const token = as === 'guess' ? `atr_${'a'.repeat(8)}_${'a'.repeat(49)}` : tokens[as]
  const lines = [
    `${method} ${pathOf(request)} HTTP/1.1`,
    'Host: atrium',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    ...(request.contentType === undefined ? [] : [`Content-Type: ${request.contentType}`]),
    ...(bytes === undefined ? [] : [`Content-Length: ${bytes.length}`]),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  return { bytes: bytes === undefined ? head : Buffer.concat([head, bytes]), isHead: method === 'HEAD' }
}

export function pathOf({ operation, parameters, tail, query }: FuzzRequest): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => percentEncoded(parameters[name] as string))
  const pairs = query.map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`)
  return `${path}${tail}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

/** Encodes text for the request line; a lone surrogate becomes the bytes that it would have. */
function percentEncoded(text: string): string {
  return Array.from(text, (letter) => {
    if (letter.isWellFormed()) return encodeURIComponent(letter)
    const unit = letter.charCodeAt(0)
    return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]
      .map((byte) => `%${byte.toString(16)}`)
      .join('')
  }).join('')
}

/** Returns the request as text, to reproduce it by hand. */
export function shown({ bytes }: Sent): string[] {
  const text = bytes.toString('latin1').replace(/Bearer atr_\S+/g, 'Bearer …')
  return text.split('\r\n').map((line) => (line.length > 400 ? `${line.slice(0, 400)}… (${line.length} bytes)` : line))
}
