import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '../../domain/refusal.ts'
import type { Draining } from '../draining.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { ApiRequest, type ApiResponse } from '../pipeline/request.ts'
import { connectionEvent } from './connection-event.ts'
import { keepAliveMs, maxJoinedBytes, serializeHead } from './head.ts'
import { parseSimpleHead, type SimpleHead } from './simple-request.ts'

const sweepMs = 1000
/** How long a connection may stay open after its last response was written, so that a slow client can read it. */
const closeMs = 9000
/**
 * The maximum number of chunks (reads from the socket) of one request. A connection that exceeds it passes to Node's
 * server. Real networks do not split a request so much.
 */
const maxChunks = 32

interface FastHttp {
  pipeline: Pipeline
  draining: Draining
  /** Whether the response can be an endless stream, which only Node's server can write. */
  isStreamed(url: string): boolean
}

/**
 * The fast path: reads simple requests of `/v1` without Node's HTTP parser, which halves the cost of a cached read. At
 * any other request, the connection passes to Node's server for good, with the bytes already read, so that Node alone
 * decides what is invalid.
 */
export function serveFastHttp(server: Server, fast: FastHttp): void {
  // Replaces the first listener, which is Node's own and would attach Node's HTTP parser to the connection.
  const event = connectionEvent(server)
  const [serveByNode] = server.listeners(event) as [(socket: Socket) => void]
  server.off(event, serveByNode)
  const connections = new Set<FastConnection>()
  server.on(event, (socket: Socket) => {
    const connection = new FastConnection(socket, fast, () => {
      connections.delete(connection)
      serveByNode.call(server, socket)
    })
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  })
  const timer = setInterval(() => {
    const nowMs = performance.now()
    for (const connection of connections) connection.checkIdle(nowMs)
  }, sweepMs).unref()
  fast.draining.onNoticeOver(() => {
    clearInterval(timer)
    for (const connection of connections) connection.close()
  })
}

/** A connection that the fast path reads: all requests on it had the simple form that `parseSimpleHead` accepts. */
class FastConnection {
  readonly #socket: Socket
  readonly #fast: FastHttp
  readonly #serveByNode: () => void
  #chunks: Buffer[] = []
  #bufferedBytes = 0
  #head: SimpleHead | undefined
  #isBusy = false
  #isClosing = false
  #hasServed = false
  #activeMs = performance.now()

  constructor(socket: Socket, fast: FastHttp, serveByNode: () => void) {
    this.#socket = socket
    this.#fast = fast
    this.#serveByNode = serveByNode
    socket.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('drain', this.#onDrain)
  }

  /** Closes an idle connection, or passes it to Node's server, which has timeouts for first and incomplete requests. */
  checkIdle(nowMs: number): void {
    if (this.#isBusy || this.#socket.writableLength > 0) {
      this.#activeMs = nowMs
      return
    }
    const idleMs = nowMs - this.#activeMs
    const isWaiting = !this.#hasServed || this.#chunks.length > 0
    if (isWaiting && idleMs > sweepMs) this.#handOver()
    else if (idleMs > keepAliveMs) this.close()
  }

  /** Closes after the pending response. A connection with an incomplete request passes to Node's server instead. */
  close(): void {
    if (this.#chunks.length > 0) return this.#handOver()
    this.#isClosing = true
    if (!this.#isBusy) this.#socket.destroySoon()
    setTimeout(() => this.#socket.destroy(), closeMs).unref()
  }

  readonly #onData = (bytes: Buffer) => {
    // The timeout of an incomplete request starts at its first byte, so that single late bytes do not extend it.
    if (this.#bufferedBytes === 0) this.#activeMs = performance.now()
    this.#chunks.push(bytes)
    this.#bufferedBytes += bytes.length
    if (this.#head === undefined) {
      const head = this.#isClosing ? undefined : parseSimpleHead(this.#joinChunks())
      if (head === undefined) return this.#handOver()
      if (head !== 'incomplete') this.#head = head
    }
    const length = this.#head?.length ?? Number.POSITIVE_INFINITY
    if (this.#bufferedBytes > length || this.#chunks.length > maxChunks) return this.#handOver()
    if (this.#bufferedBytes === length) this.#serve(this.#head as SimpleHead)
  }

  #joinChunks(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0] as Buffer
  }

  #serve(head: SimpleHead): void {
    if (this.#fast.isStreamed(head.url)) return this.#handOver()
    const request = new FastRequest(head, this.#joinChunks().subarray(head.bodyAt), this.#socket)
    this.#chunks = []
    this.#bufferedBytes = 0
    this.#head = undefined
    this.#hasServed = true
    this.#activeMs = request.startMs
    const response = this.#fast.pipeline.handle(request)
    if (!(response instanceof Promise)) return this.#write(request, response)
    // The response is not ready yet: following (pipelined) requests stay unread in the socket until it is written.
    this.#isBusy = true
    this.#socket.pause()
    response.then(
      (made) => {
        this.#isBusy = false
        this.#write(request, made)
        if (!this.#isClosing && !this.#socket.writableNeedDrain) this.#socket.resume()
      },
      () => this.#socket.destroy(),
    )
  }

  #write(request: FastRequest, response: ApiResponse): void {
    const socket = this.#socket
    const { status, headers, body } = response
    if (this.#isClosing) headers.connection = 'close'
    try {
      const head = serializeHead(status, headers)
      const bytes = body as Buffer
      if (bytes.length <= maxJoinedBytes) socket.write(head + bytes.toString('latin1'), 'latin1')
      else {
        socket.cork()
        socket.write(head, 'latin1')
        socket.write(bytes)
        socket.uncork()
      }
      this.#fast.pipeline.finish(request, response)
    } catch (error) {
      this.#fast.pipeline.fail(request, error)
      socket.destroy()
      return
    }
    if (headers.connection === 'close') return this.close()
    // Backpressure: reads no further request until the client has read the responses before it.
    if (socket.writableNeedDrain) socket.pause()
  }

  #handOver(): void {
    const socket = this.#socket
    socket.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError).off('drain', this.#onDrain)
    const bytes = this.#chunks.length > 0 ? this.#joinChunks() : undefined
    if (bytes !== undefined) socket.unshift(bytes)
    this.#serveByNode()
    if (bytes !== undefined) socket.resume()
  }

  readonly #onDrain = () => {
    if (!this.#isBusy) this.#socket.resume()
  }

  readonly #onEnd = () => void this.#socket.end()
  readonly #onError = () => void this.#socket.destroy()
}

class FastRequest extends ApiRequest {
  readonly #body: Buffer
  readonly #socket: Socket

  constructor(head: SimpleHead, body: Buffer, socket: Socket) {
    super({ ...head, peer: socket })
    this.#body = body
    this.#socket = socket
  }

  async readBody(maxBytes: number): Promise<Buffer> {
    if (this.#body.length <= maxBytes) return this.#body
    throw new Refusal('body_too_large', `The body must have at most ${maxBytes} bytes.`)
  }

  signal(): AbortSignal {
    const closed = new AbortController()
    this.#socket.once('close', () => closed.abort())
    return closed.signal
  }
}
