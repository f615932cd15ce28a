import { jsonType, marked } from './answer.ts'
import type { Encoding } from './compression.ts'
import { thisMoment } from './moment.ts'
import { STATUS_CODES } from './node-http.ts'

/** How long Node keeps a connection that waits; said in every answer. */
export const keepAliveMs = 72_000

const statusLines = new Map(
  Object.entries(STATUS_CODES).map(([status, text]) => [Number(status), `HTTP/1.1 ${status} ${text}\r\n`]),
)

/** What Node adds to the head of an answer on a connection that it keeps. */
const added = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n\r\n`

/** Lines of a head that are the same in many answers, checked here and not again with each of them. */
export function headerLines(headers: Record<string, string>): string {
  let lines = ''
  for (const name of Object.keys(headers)) lines += headerLine(name, headers[name] as string)
  return lines
}

const unsendable = /[^\t\x20-\x7e]/

function headerLine(name: string, value: string): string {
  if (unsendable.test(value)) throw new Error(`The header ${name} holds characters that cannot be sent`)
  return `${name}: ${value}\r\n`
}

const aboutBody = ['etag', 'content-type', 'content-encoding', 'content-length']

/**
 * The lines of an answer that was made, in the order of one that was at hand: which of the two it is says whether
 * somebody else has changed something that the caller may not see.
 */
export function linesInOrder(headers: Record<string, string>, rate: string): string {
  let first = ''
  for (const name of Object.keys(headers)) {
    if (!aboutBody.includes(name)) first += headerLine(name, headers[name] as string)
  }
  let last = ''
  for (const name of aboutBody) {
    const value = headers[name]
    if (value !== undefined) last += headerLine(name, value)
  }
  return first + rate + last
}

const jsonLine = headerLines({ 'content-type': jsonType })

/** An answer as it is written. */
export interface ReadyMade {
  status: number
  head: string
  /** To be written before anything else happens: it may stand where others are kept too. */
  body: Buffer
  /** Nobody else has the body: once it is written its memory can be given back. */
  isOwn?: boolean | undefined
}

/** Only for connections that are kept. */
export function headOf(status: number, lines: string): string {
  return statusLines.get(status) + lines + lastLines()
}

/** The same for the last answer on a connection. */
export function lastHead(head: string): string {
  return head.replace(added, 'Connection: close\r\n\r\n')
}

let dated = ''
let last = ''

/** Made once a second. */
function lastLines(): string {
  const { httpDate } = thisMoment()
  if (httpDate !== dated) {
    dated = httpDate
    last = `Date: ${httpDate}\r\n${added}`
  }
  return last
}

export function bodyLines(etag: string, length: number): string {
  return `etag: ${etag}\r\n${jsonLine}content-length: ${length}\r\n`
}

export function encodedLines(etag: string, encoding: Encoding, encoded: Buffer): string {
  const about = `content-encoding: ${encoding}\r\ncontent-length: ${encoded.length}\r\n`
  return `etag: ${marked(etag, encoding)}\r\n${jsonLine}${about}`
}
