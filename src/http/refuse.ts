import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import type { Rendered } from './answer.ts'
import { asRefusal, problemOf } from './errors.ts'
import { briefly, endLingering, throwRestAway } from './lingering.ts'
import { STATUS_CODES } from './node-http.ts'
import type { Proxies } from './proxies.ts'
import { securityHeaders, securityLines } from './security-headers.ts'

const endsConnection = ['body_too_large', 'request_malformed']
const problemType = 'application/problem+json; charset=utf-8'

/** Every refusal leaves through here, those of the framework included, which have met no hook of ours. */
export function problemSender(proxies: Proxies) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = asRefusal(error)
    request.refusal = refusal
    const { status, headers, body } = renderProblem(refusal, request.id)
    if (endsConnection.includes(refusal.code)) endWith(reply, request.raw.socket)
    reply.headers(securityHeaders(proxies.isEncrypted(request.raw.socket, request.headers)))
    void reply.header('x-request-id', request.id).code(status).headers(headers).send(body)
  }
}

/** What is left of a body that was refused unread is of no use, or cannot be told from what follows it. */
function endWith(reply: FastifyReply, socket: Socket): void {
  reply.header('connection', 'close')
  // What Node calls behind the last answer of a connection.
  socket.destroySoon = () => endLingering(socket)
}

export function renderProblem(refusal: Refusal, requestId: string): Rendered {
  const { status, headers, body } = problemOf(refusal, requestId)
  const shown = { ...headers, 'cache-control': 'no-store', 'content-type': problemType }
  return { status, headers: shown, body: Buffer.from(JSON.stringify(body)) }
}

/** Two of these would let two readers of one request see different ones. */
const single = ['host', 'authorization', 'content-type', 'idempotency-key', 'atrium-cycle']

export function refuseRepeatedHeaders({ raw }: FastifyRequest): void {
  const { rawHeaders, httpVersionMajor, httpVersionMinor, headers } = raw
  if (httpVersionMajor !== 1) throw malformed()
  if (httpVersionMinor === 1 && headers.host === undefined) {
    throw new Refusal('request_malformed', 'The Host header is missing.')
  }
  // Where such a body ends nobody knows (RFC 9112, 6.3): what follows must not be read as a request.
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new Refusal('request_malformed', 'The Transfer-Encoding is not supported.')
  }
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase()
    if (seen.has(name) && single.includes(name)) {
      throw new Refusal('header_repeated', `The header "${name}" must be sent once.`)
    }
    seen.add(name)
  }
}

interface Received {
  request: IncomingMessage
  response: ServerResponse
}

const lastOn = new WeakMap<Socket, Received>()

/** Remembers the last request on a connection, for what may come behind it. */
export function noteReceived(received: Received): void {
  lastOn.set(received.request.socket, received)
}

/** Bytes that are no HTTP request never reach a route; they get the same problem body. */
export function answerBrokenRequests(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const before = lastOn.get(socket)
  // What came whole before is answered first, and ends the connection: two answers must not change places.
  if (before?.request.complete && !before.response.closed) {
    throwRestAway(socket)
    before.response.once('close', () => endLingering(socket))
    return
  }
  const code = String(error.code)
  // Neither the parser's nor Node's: there was no TLS to speak HTTP over.
  if (!/^(HPE|ERR_HTTP)_/.test(code)) return void socket.destroy()
  answerRaw(socket, code.startsWith('HPE_') && code !== 'HPE_HEADER_OVERFLOW' ? malformed() : asRefusal(error))
}

/** Nobody is connected through to elsewhere; Node would hang up without a word. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  answerRaw(socket as Socket, malformed())
}

function answerRaw(socket: Socket, refusal: Refusal): void {
  const requestId = randomUUID()
  const { status, body } = problemOf(refusal, requestId)
  const json = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(json)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  const security = securityLines('encrypted' in socket)
  const patience = refusal.code === 'request_timeout' ? briefly : undefined
  endLingering(socket, `${head.join('\r\n')}\r\n${security}\r\n${json}`, patience)
}

function malformed(): Refusal {
  return new Refusal('request_malformed', 'This is not a valid HTTP request.')
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it was refused; the cause of a 5xx is for the log only. */
    refusal: Refusal | undefined
  }
}
