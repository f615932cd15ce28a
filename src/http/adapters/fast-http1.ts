import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '../../domain/refusal.ts'
import type { Draining } from '../draining.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { ApiResponse } from '../pipeline/request.ts'
import { ApiRequest } from '../pipeline/request.ts'
import { connectionEvent } from './connection-event.ts'
import { headText, keepAliveMs } from './head.ts'
import { parseSimpleHead, type SimpleHead } from './simple-request.ts'

const sweepMs = 1000
/** For a reader that has not taken its last response yet. */
const closeMs = 9000
/** More pieces than a network makes of a small request. */
const maxPieces = 32

interface FastHttp {
  pipeline: Pipeline
  draining: Draining
  /** Whether the response to this URL can have no end: Node's server has the means for that. */
  isStreamed(url: string): boolean
}

/**
 * Reads simple requests of `/v1` off the connection before Node's HTTP server has seen a byte of them; a read from the
 * cache costs about half as much that way. A connection on which anything else comes is handed to that server with its
 * bytes, and stays there: its parser then owns the socket. So nothing here decides what to do about unusual requests.
 */
export function serveFastHttp(server: Server, fast: FastHttp): void {
  // The first listener is Node's own: the one that reads HTTP.
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
    for (const connection of connections) connection.checkTime(nowMs)
  }, sweepMs).unref()
  fast.draining.onLeave(() => {
    clearInterval(timer)
    for (const connection of connections) connection.close()
  })
}

/** A connection that has sent nothing but simple requests so far. */
class FastConnection {
  readonly #socket: Socket
  readonly #fast: FastHttp
  readonly #serveByNode: () => void
  #pieces: Buffer[] = []
  #piecesLength = 0
  #head: SimpleHead | undefined
  /** A response is being made. */
  #isBusy = false
  #isClosing = false
  #hasAsked = false
  #activeMs = performance.now()

  constructor(socket: Socket, fast: FastHttp, serveByNode: () => void) {
    this.#socket = socket
    this.#fast = fast
    this.#serveByNode = serveByNode
    socket.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('drain', this.#onDrain)
  }

  /** Ends it when it is idle; one whose request is not whole soon, or that has never sent one, is Node's to time out. */
  checkTime(nowMs: number): void {
    if (this.#isBusy || this.#socket.writableLength > 0) {
      this.#activeMs = nowMs
      return
    }
    const idleMs = nowMs - this.#activeMs
    const isWaiting = !this.#hasAsked || this.#pieces.length > 0
    if (isWaiting && idleMs > sweepMs) this.#handOver()
    else if (idleMs > keepAliveMs) this.close()
  }

  /** Ends the connection after the response that is under way. A request that is not whole yet is Node's to wait for. */
  close(): void {
    if (this.#pieces.length > 0) return this.#handOver()
    this.#isClosing = true
    if (!this.#isBusy) this.#socket.destroySoon()
    setTimeout(() => this.#socket.destroy(), closeMs).unref()
  }

  readonly #onData = (bytes: Buffer) => {
    // A request has one second from its first byte, however many more come.
    if (this.#piecesLength === 0) this.#activeMs = performance.now()
    this.#pieces.push(bytes)
    this.#piecesLength += bytes.length
    if (this.#head === undefined) {
      const head = this.#isClosing ? undefined : parseSimpleHead(this.#joined())
      if (head === undefined) return this.#handOver()
      if (head !== 'incomplete') this.#head = head
    }
    const length = this.#head?.length ?? Number.POSITIVE_INFINITY
    if (this.#piecesLength > length || this.#pieces.length > maxPieces) return this.#handOver()
    if (this.#piecesLength === length) this.#serve(this.#head as SimpleHead)
  }

  #joined(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)]
    return this.#pieces[0] as Buffer
  }

  #serve(head: SimpleHead): void {
    if (this.#fast.isStreamed(head.url)) return this.#handOver()
    const request = new FastRequest(head, this.#joined().subarray(head.bodyAt), this.#socket)
    this.#pieces = []
    this.#piecesLength = 0
    this.#head = undefined
    this.#hasAsked = true
    this.#activeMs = request.startMs
    const response = this.#fast.pipeline.handle(request)
    if (!(response instanceof Promise)) return this.#write(request, response)
    // What is sent meanwhile stays where it is.
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
      const head = headText(status, headers)
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
    // A reader that is slower than its own requests is not read from until it has caught up.
    if (socket.writableNeedDrain) socket.pause()
  }

  #handOver(): void {
    const socket = this.#socket
    socket.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError).off('drain', this.#onDrain)
    const bytes = this.#pieces.length > 0 ? this.#joined() : undefined
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
