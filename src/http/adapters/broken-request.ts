import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Refusal } from '../../domain/refusal.ts'
import { asRefusal } from '../pipeline/errors.ts'
import { problemResponse } from '../pipeline/problem.ts'
import { securityHeaders } from '../pipeline/security-headers.ts'
import { headText } from './head.ts'
import { briefly, discardRest, endLingering } from './lingering.ts'

/** The last request of a connection and its response, for what may come behind it. */
export interface LastExchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
}

/** Answers bytes that are no HTTP request, which never reach a route, with the same problem body. */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException & { rawPacket?: unknown },
  socket: Socket,
  before: LastExchange | undefined,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  // A request that came whole before is answered first, and ends the connection: two responses must not change places.
  if (before?.incoming.complete && !before.outgoing.closed) {
    discardRest(socket)
    before.outgoing.once('close', () => endLingering(socket))
    return
  }
  const code = String(error.code)
  // Neither the parser's nor Node's: there was no TLS to speak HTTP over.
  if (!/^(HPE|ERR_HTTP)_/.test(code)) return void socket.destroy()
  const { rawPacket } = error
  const isHead = Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, 5) === 'HEAD '
  const isMalformed = code.startsWith('HPE_') && code !== 'HPE_HEADER_OVERFLOW'
  answerRaw(socket, isMalformed ? malformed() : asRefusal(error), isHead)
}

/** Node would hang up without a word. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  answerRaw(socket as Socket, malformed())
}

export function malformed(): Refusal {
  return new Refusal('request_malformed', 'This is not a valid HTTP request.')
}

/** An answer to HEAD has no body (RFC 9110, 9.3.2), also where nothing else of the request could be read. */
function answerRaw(socket: Socket, refusal: Refusal, isHead = false): void {
  const requestId = randomUUID()
  const { status, headers, body } = problemResponse(refusal, requestId)
  const head = headText(status, {
    ...securityHeaders('encrypted' in socket),
    'x-request-id': requestId,
    ...headers,
    'content-length': String((body as Buffer).length),
    connection: 'close',
  })
  endLingering(socket, isHead ? head : head + body, refusal.code === 'request_timeout' ? briefly : undefined)
}
