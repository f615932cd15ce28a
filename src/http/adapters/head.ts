import { readClock } from '../clock.ts'
import { STATUS_CODES } from './http-module.ts'

/** How long an idle connection is kept; Node's own default is 5 s, which load balancers overrun. */
export const keepAliveMs = 72_000

const unsendable = /[^\t\x20-\x7e]/

/** Serializes the head of a response (RFC 9112, 4), with what Node adds to one of its own. */
export function headText(status: number, headers: Record<string, string>): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (const name in headers) {
    const value = headers[name] as string
    if (unsendable.test(value)) throw new Error(`The header ${name} holds characters that cannot be sent`)
    text += `${name}: ${value}\r\n`
  }
  text += `Date: ${readClock().httpDate}\r\n`
  if (headers.connection === undefined)
    text += `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n`
  return `${text}\r\n`
}
