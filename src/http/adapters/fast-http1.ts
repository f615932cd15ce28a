import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '../../domain/refusal.ts'
import type { Draining } from '../draining.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { ApiRequest, type ApiResponse } from '../pipeline/request.ts'
import { connectionEvent } from './connection-event.ts'
import { keepAliveMs, serializeHead } from './head.ts'
import { parseSimpleHead, type SimpleHead } from './simple-request.ts'

const sweepMs = 1000
/** How long a client may take to read its last response before the connection is destroyed. */
const closeMs = 9000
/** The maximum number of chunks that a request may arrive in. No network splits a small request into more. */
const maxChunks = 32

interface FastHttp {
  pipeline: Pipeline
  draining: Draining
  /** Whether the response to this URL can be endless: streams are left to Node's server. */
  isStreamed(url: string): boolean
}

/**
 * The fast path: reads simple requests of `/v1` from the socket without Node's HTTP parser, which halves the cost of a
 * cached read. A connection on which anything else arrives falls back to Node's server with the bytes read so far, for
 * good: Node's parser then owns the socket. So only Node decides what happens to unusual or invalid requests.
 */
export function serveFastHttp(server: Server, fast: FastHttp): void {
  // The first listener is Node's own, which attaches the HTTP parser.
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

/** A connection on which only simple requests have arrived so far. */
class FastConnection {
  readonly #socket: Socket
  readonly #fast: FastHttp
  readonly #serveByNode: () => void
  #chunks: Buffer[] = []
  #bufferedBytes = 0
  #head: SimpleHead | undefined
  /** Whether a response is pending. */
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

  /**
   * Closes an idle connection. One that waits for a first or an incomplete request is handed to Node, which has
   * timeouts.
   */
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

  /** Closes the connection after the pending response. One with an incomplete request is handed to Node. */
  close(): void {
    if (this.#chunks.length > 0) return this.#handOver()
    this.#isClosing = true
    if (!this.#isBusy) this.#socket.destroySoon()
    setTimeout(() => this.#socket.destroy(), closeMs).unref()
  }

  readonly #onData = (bytes: Buffer) => {
    // The time limit of an incomplete request counts from its first byte, not from its latest.
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
    // Pipelined requests stay in the socket until this one is done.
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
      socket.cork()
      socket.write(head, 'latin1')
      if (status !== 304) socket.write(body as Buffer)
      socket.uncork()
      this.#fast.pipeline.finish(request, response)
    } catch (error) {
      this.#fast.pipeline.fail(request, error)
      socket.destroy()
      return
    }
    if (headers.connection === 'close') return this.close()
    // Backpressure: no further request is read until the client has read its responses.
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
