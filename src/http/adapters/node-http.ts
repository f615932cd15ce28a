import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, pipeline as pipe, Readable } from 'node:stream'
import { Refusal } from '../../domain/refusal.ts'
import { bodyChunks, collectBody } from '../pipeline/body.ts'
import { hostInvalid, isHost } from '../pipeline/host.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { ApiRequest, type ApiResponse, isStream } from '../pipeline/request.ts'
import { type Exchange, malformed, NodeConnection, refuseBrokenRequest, refuseTunnel } from './broken-request.ts'
import { connectionEvent } from './connection-event.ts'
import { maxJoinedBytes } from './head.ts'
import { lingerOn } from './lingering.ts'

/** Serves HTTP with Node's parser. For the requests that the fast path supports, both must behave alike. */
export function serveNodeHttp(server: Server, pipeline: Pipeline, stopped: AbortSignal): void {
  const connections = new WeakMap<Socket, NodeConnection>()
  const connectionOf = (socket: Socket) => connections.get(socket) as NodeConnection
  // Replaces Node's own connection listener by one that first registers the connection. The fast path calls this
  // listener too when it passes a connection on.
  const event = connectionEvent(server)
  const [serveByNode] = server.listeners(event) as [(socket: Socket) => void]
  server.off(event, serveByNode).prependListener(event, (socket: Socket) => {
    connections.set(socket, new NodeConnection())
    serveByNode.call(server, socket)
  })
  server.on('request', (incoming, outgoing) => {
    const request = new NodeRequest(incoming, outgoing, stopped)
    connectionOf(incoming.socket).last = request
    const response = pipeline.handle(request)
    if (response instanceof Promise) void response.then((made) => respond(pipeline, request, made))
    else respond(pipeline, request, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    refuseBrokenRequest(error, socket as Socket, connectionOf(socket as Socket)),
  )
  // Ignores an unknown Expect header, as RFC 9110, section 10.1.1, allows: Node would respond 417 without a body.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing))
  server.on('connect', (_request, socket) => refuseTunnel(socket as Socket, connectionOf(socket as Socket)))
}

class NodeRequest extends ApiRequest implements Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly socket: Socket
  readonly #stopped: AbortSignal
  #bodyFault: Refusal | undefined

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, stopped: AbortSignal) {
    const { method = '', url = '', headers, socket } = incoming
    super({ method, url, headers, peer: socket, fault: faultOf(incoming) })
    this.incoming = incoming
    this.outgoing = outgoing
    this.socket = socket
    this.#stopped = stopped
  }

  failBody(refusal: Refusal): void {
    this.#bodyFault = refusal
    // An `error` event without a listener would end the process.
    if (this.incoming.listenerCount('error') > 0) this.incoming.emit('error', refusal)
  }

  async readBody(maxBytes: number): Promise<Buffer> {
    if (this.#bodyFault !== undefined) throw this.#bodyFault
    try {
      return await collectBody(this.incoming, maxBytes)
    } catch (error) {
      throw this.#bodyFault ?? error
    }
  }

  override async *bodyChunks(): AsyncGenerator<Uint8Array> {
    if (this.#bodyFault !== undefined) throw this.#bodyFault
    try {
      yield* bodyChunks(this.incoming)
    } catch (error) {
      throw this.#bodyFault ?? error
    }
  }

  signal(): AbortSignal {
    const closed = new AbortController()
    this.outgoing.once('close', () => closed.abort())
    // Disables the idle timeout of the socket, since a stream or a long poll can be pending for longer.
    this.outgoing.socket?.setTimeout(0)
    return AbortSignal.any([closed.signal, this.#stopped])
  }
}

function respond(pipeline: Pipeline, request: NodeRequest, response: ApiResponse): void {
  try {
    write(pipeline, request, response)
  } catch (error) {
    pipeline.fail(request, error)
    request.socket.destroy()
  }
}

function write(pipeline: Pipeline, request: NodeRequest, response: ApiResponse): void {
  const { outgoing } = request
  const { status, headers, body } = response
  // The request was refused before all of its body was read: discards the rest, which must not be parsed as a request.
  if (status >= 400 && headers.connection === 'close') lingerOn(request.socket)
  outgoing.writeHead(status, headers)
  if (!isStream(body)) {
    if (request.method === 'HEAD' || status === 304) outgoing.end()
    else if (body.length <= maxJoinedBytes) outgoing.end((body as Buffer).toString('latin1'), 'latin1')
    else outgoing.end(body)
    return pipeline.finish(request, response)
  }
  const stream = Readable.from(request.method === 'HEAD' ? [] : body)
  // The client may have disconnected before the stream begins.
  if (outgoing.destroyed) stream.destroy()
  else pipe(stream, outgoing, () => {})
  if (outgoing.closed) pipeline.finish(request, response)
  else outgoing.once('close', () => pipeline.finish(request, response))
}

/** Headers that may occur only once: a proxy could act on one value and Atrium on the other (request smuggling). */
const singletons = ['host', 'authorization', 'content-type', 'idempotency-key', 'atrium-cycle']

/** Returns the refusal of a request that Node's parser accepts but Atrium does not; undefined if Atrium accepts it. */
function faultOf({ rawHeaders, httpVersionMajor, httpVersionMinor, headers }: IncomingMessage): Refusal | undefined {
  if (httpVersionMajor !== 1) return malformed()
  if (httpVersionMinor === 1) {
    if (headers.host === undefined) return new Refusal('request_malformed', 'The Host header is missing.')
    if (!isHost(headers.host)) return hostInvalid()
  }
  // Accepts only `chunked`. With any other coding, the end of the body is unknown (RFC 9112, section 6.3), so a proxy
  // and Atrium could disagree about where the next request begins (request smuggling).
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return new Refusal('request_malformed', 'The Transfer-Encoding is not supported.')
  }
  // Node merges headers of the same name: if there are as many as were sent, none was repeated.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return undefined
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
  const repeated = singletons.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (repeated === undefined) return undefined
  return new Refusal('header_repeated', `The header "${repeated}" must be sent once.`)
}
