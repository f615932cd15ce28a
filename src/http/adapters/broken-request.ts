import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Refusal } from '../../domain/refusal.ts'
import { asRefusal } from '../pipeline/errors.ts'
import { problemResponse } from '../pipeline/problem.ts'
import { securityHeaders } from '../pipeline/security-headers.ts'
import { serializeHead } from './head.ts'
import { discardInput, lingeringClose, shortTimeouts } from './lingering.ts'

/** The latest request on a connection, with its response, which may still be pending when unparsable bytes arrive. */
export interface LastExchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
}

/**
 * Responds with a problem (RFC 9457) to bytes that Node cannot parse as an HTTP request. The pipeline, which responds
 * to all other requests, never gets them.
 */
export function refuseBrokenRequest(
  error: NodeJS.ErrnoException & { rawPacket?: unknown },
  socket: Socket,
  last: LastExchange | undefined,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  // Responses must stay in the order of the requests: first the pending response is sent, then the connection is closed
  // without a response to the invalid bytes.
  if (last?.incoming.complete && !last.outgoing.closed) {
    discardInput(socket)
    last.outgoing.once('close', () => lingeringClose(socket))
    return
  }
  const code = String(error.code)
  // Errors with any other code come from failed TLS handshakes, after which no HTTP response can be sent.
  if (!/^(HPE|ERR_HTTP)_/.test(code)) return void socket.destroy()
  const { rawPacket } = error
  const isHead = Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, 5) === 'HEAD '
  const isMalformed = code.startsWith('HPE_') && code !== 'HPE_HEADER_OVERFLOW'
  writeRefusal(socket, isMalformed ? malformed() : asRefusal(error), isHead)
}

/** Responds to CONNECT with a problem. Without this listener, Node would close the connection and send nothing. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  writeRefusal(socket as Socket, malformed())
}

export function malformed(): Refusal {
  return new Refusal('request_malformed', 'This is not a valid HTTP request.')
}

/** Writes the error response to the socket. Omits the body for HEAD (RFC 9110, section 9.3.2). */
function writeRefusal(socket: Socket, refusal: Refusal, isHead = false): void {
  const requestId = randomUUID()
  const { status, headers, body } = problemResponse(refusal, requestId)
  const head = serializeHead(status, {
    ...securityHeaders('encrypted' in socket),
    'x-request-id': requestId,
    ...headers,
    'content-length': String((body as Buffer).length),
    connection: 'close',
  })
  const timeouts = refusal.code === 'request_timeout' ? shortTimeouts : undefined
  lingeringClose(socket, isHead ? head : head + body, timeouts)
}
