import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, pipeline as pipe, Readable } from 'node:stream'
import { Refusal } from '../../domain/refusal.ts'
import { collectBody } from '../pipeline/body.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { ApiRequest, type ApiResponse, isStream } from '../pipeline/request.ts'
import { answerBrokenRequest, type LastExchange, malformed, refuseTunnel } from './broken-request.ts'
import { endLingering } from './lingering.ts'

/** Serves every request that Node's HTTP parser reads: the complete adapter, and the reference for the other. */
export function serveNodeHttp(server: Server, pipeline: Pipeline, stopped: AbortSignal): void {
  const lastOn = new WeakMap<Socket, LastExchange>()
  server.on('request', (incoming, outgoing) => {
    lastOn.set(incoming.socket, { incoming, outgoing })
    const request = new NodeRequest(incoming, outgoing, stopped)
    const response = pipeline.handle(request)
    if (response instanceof Promise) void response.then((made) => respond(pipeline, request, made))
    else respond(pipeline, request, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    answerBrokenRequest(error, socket as Socket, lastOn.get(socket as Socket)),
  )
  // Expectations that we do not know may be ignored (RFC 9110, 10.1.1); Node would answer without a body.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing))
  server.on('connect', refuseTunnel)
}

class NodeRequest extends ApiRequest {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly #stopped: AbortSignal

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, stopped: AbortSignal) {
    const { method = '', url = '', headers, socket } = incoming
    super({ method, url, headers, peer: socket, fault: faultOf(incoming) })
    this.incoming = incoming
    this.outgoing = outgoing
    this.#stopped = stopped
  }

  readBody(maxBytes: number): Promise<Buffer> {
    return collectBody(this.incoming, maxBytes)
  }

  signal(): AbortSignal {
    const closed = new AbortController()
    this.outgoing.once('close', () => closed.abort())
    // A connection on which a response is awaited is not idle, however long it takes.
    this.outgoing.socket?.setTimeout(0)
    return AbortSignal.any([closed.signal, this.#stopped])
  }
}

function respond(pipeline: Pipeline, request: NodeRequest, response: ApiResponse): void {
  try {
    write(pipeline, request, response)
  } catch (error) {
    pipeline.fail(request, error)
    request.incoming.socket.destroy()
  }
}

function write(pipeline: Pipeline, request: NodeRequest, response: ApiResponse): void {
  const { incoming, outgoing } = request
  const { status, headers, body } = response
  // What is left of a request that was refused unread is of no use, or cannot be told from what follows it.
  if (status >= 400 && headers.connection === 'close') lingerOn(incoming.socket)
  outgoing.writeHead(status, headers)
  if (!isStream(body)) {
    outgoing.end(request.method === 'HEAD' || status === 304 ? undefined : body)
    return pipeline.finish(request, response)
  }
  const pieces = Readable.from(request.method === 'HEAD' ? [] : body)
  // The client may have hung up while the response was made.
  if (outgoing.destroyed) pieces.destroy()
  else pipe(pieces, outgoing, () => {})
  if (outgoing.closed) pipeline.finish(request, response)
  else outgoing.once('close', () => pipeline.finish(request, response))
}

function lingerOn(socket: Socket): void {
  // Node calls this behind the last response of a connection.
  socket.destroySoon = () => endLingering(socket)
}

/** Two of these would let two readers of one request see different ones. */
const single = ['host', 'authorization', 'content-type', 'idempotency-key', 'atrium-cycle']

/** Returns why a request that Node's parser takes is not taken. */
function faultOf({ rawHeaders, httpVersionMajor, httpVersionMinor, headers }: IncomingMessage): Refusal | undefined {
  if (httpVersionMajor !== 1) return malformed()
  if (httpVersionMinor === 1 && headers.host === undefined) {
    return new Refusal('request_malformed', 'The Host header is missing.')
  }
  // Where such a body ends is not defined (RFC 9112, 6.3): what follows must not be read as a request.
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return new Refusal('request_malformed', 'The Transfer-Encoding is not supported.')
  }
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase()
    if (single.includes(name) && seen.has(name)) {
      return new Refusal('header_repeated', `The header "${name}" must be sent once.`)
    }
    seen.add(name)
  }
  return undefined
}
