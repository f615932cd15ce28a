import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '../../domain/refusal.ts'
import { asRefusal } from '../pipeline/errors.ts'
import { problemResponse } from '../pipeline/problem.ts'
import { securityHeaders } from '../pipeline/security-headers.ts'
import { serializeHead } from './head.ts'
import { discardInput, lingeringClose, lingerOn, shortTimeouts } from './lingering.ts'

/** A request that Node's parser has read, with its response, which may still be pending. */
export interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** Makes the pipeline, if it reads the body, respond with this refusal. */
  failBody(refusal: Refusal): void
}

/** What must be known about a connection to refuse bytes on it that Node's parser cannot read. */
export class NodeConnection {
  last: Exchange | undefined
  /** Whether a part of the input was invalid. All that follows is discarded. */
  isBroken = false
}

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer }

/**
 * Refuses bytes that Node's parser cannot read, and slow requests. Every request gets one final response, in order: an
 * invalid body changes its own response, unless that has begun; an invalid head gets one after those that are pending.
 */
export function refuseBrokenRequest(error: ParserError, socket: Socket, connection: NodeConnection): void {
  const code = String(error.code)
  // Other codes come from the socket itself, or from a TLS handshake, after which no HTTP response can be sent.
  if (!socket.writable || !/^(HPE|ERR_HTTP)_/.test(code)) return void socket.destroy()
  if (connection.isBroken) return
  connection.isBroken = true
  const isMalformed = code.startsWith('HPE_') && code !== 'HPE_HEADER_OVERFLOW'
  const refusal = code === 'HPE_INVALID_METHOD' ? methodUnknown() : isMalformed ? malformed() : asRefusal(error)
  const { last } = connection
  if (last?.incoming.complete === false) return refuseBody(refusal, socket, last)
  const isHead = error.rawPacket?.toString('latin1', 0, 5) === 'HEAD '
  afterPending(socket, last?.outgoing, () => writeRefusal(socket, refusal, isHead))
}

/** Responds to CONNECT with a problem. Without this listener, Node would close the connection and send nothing. */
export function refuseTunnel(socket: Socket, { last }: NodeConnection): void {
  // Node has removed its own `drain` listener from the socket. Without one, a streamed response that waits for the
  // client to read more would never continue.
  socket.on('drain', () => responseOn(socket)?.emit('drain'))
  afterPending(socket, last?.outgoing, () => writeRefusal(socket, malformed()))
}

export function malformed(): Refusal {
  return new Refusal('request_malformed', 'This is not a valid HTTP request.')
}

/**
 * Node's parser stops at an unknown method, before it reads the path. The response has no `Allow` header, because the
 * methods of an unknown path cannot be listed.
 */
function methodUnknown(): Refusal {
  const detail = 'The request does not begin with a known HTTP method. Methods are written in capitals, such as GET.'
  return new Refusal('request_malformed', detail)
}

function refuseBody(refusal: Refusal, socket: Socket, exchange: Exchange): void {
  const { outgoing } = exchange
  const timeouts = timeoutsAfter(refusal)
  if (!outgoing.headersSent) outgoing.setHeader('connection', 'close')
  afterPending(socket, outgoing, () => lingeringClose(socket, '', timeouts))
  lingerOn(socket, timeouts)
  exchange.failBody(refusal)
}

/** Calls `close` once the response is written, unless the connection is closed by then. Discards further input. */
function afterPending(socket: Socket, outgoing: ServerResponse | undefined, close: () => void): void {
  if (outgoing === undefined || outgoing.closed) return close()
  discardInput(socket)
  lingerOn(socket)
  outgoing.once('close', () => socket.writable && close())
}

/** Returns the response that is being written. An internal property of Node, which has no public one for it. */
function responseOn(socket: Socket): ServerResponse | null | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage
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
  lingeringClose(socket, isHead ? head : head + body, timeoutsAfter(refusal))
}

function timeoutsAfter({ code }: Refusal) {
  return code === 'request_timeout' ? shortTimeouts : undefined
}
