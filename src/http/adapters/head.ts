import { readClock } from '../clock.ts'
import { STATUS_CODES } from './http-module.ts'

/** The idle timeout, longer than a load balancer's, which must close first: a request sent as Atrium closes is lost. */
export const keepAliveMs = 72_000

/** Bodies up to this length are written as one string with the head: two writes cost more than the copy. */
export const maxJoinedBytes = 16_384

const unsendable = /[^\t\x20-\x7e]/

/** Serializes status line and headers (RFC 9112, section 4), including those that Node would add itself. */
export function serializeHead(status: number, headers: Record<string, string>): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  let values = ''
  for (const name in headers) {
    const value = headers[name] as string
    values += value
    text += `${name}: ${value}\r\n`
  }
  if (unsendable.test(values)) throw new Error('A header holds characters that cannot be sent')
  text += `Date: ${readClock().httpDate}\r\n`
  if (headers.connection === undefined)
    text += `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n`
  return `${text}\r\n`
}
