import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Bucket } from '../../domain/access/rate-limit.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Trace } from '../observability/telemetry/trace.ts'
import { requestId } from './request-id.ts'

/** The socket's remote end, which is the caller or a proxy. */
export type Peer = Pick<Socket, 'remoteAddress'> & { readonly encrypted?: boolean }

const noParams: Readonly<Record<string, string>> = {}

/**
 * The request context: one request without its transport, and what the pipeline finds out about it on the way to its
 * response. Adapters create it; the code after them knows nothing of sockets and parsers.
 */
export abstract class ApiRequest {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly peer: Peer
  readonly startMs = performance.now()
  /** The refusal that the adapter decided on; the pipeline throws it before routing. */
  readonly fault: Refusal | undefined

  /**
   * The caller's address, from X-Forwarded-For of a trusted proxy or the peer. Lazy: reading a socket's address is a
   * system call.
   */
  from: Pick<Peer, 'remoteAddress'>
  isEncrypted = false
  route: Route | undefined = undefined
  params = noParams
  token: CachedToken | undefined = undefined
  bucket: Bucket | undefined = undefined
  refusal: Refusal | undefined = undefined
  trace: Trace | undefined = undefined
  /**
   * Time spent in a long poll. Subtracted from the duration in log and metrics: it says nothing about the node's speed.
   */
  waitedMs = 0

  constructor({ method, url, headers, peer, fault }: RequestHead) {
    this.id = requestId(headers['x-request-id'])
    this.method = method
    this.url = url
    this.headers = headers
    this.peer = peer
    this.from = peer
    this.fault = fault
  }

  get isRead(): boolean {
    return this.method === 'GET' || this.method === 'HEAD'
  }

  /** Reads the body from the connection. Called once every check that needs no body is done. */
  abstract readBody(maxBytes: number): Promise<Buffer>

  /** Yields the body, without a limit. Adapters that can receive long bodies yield it as it arrives. */
  async *bodyChunks(): AsyncGenerator<Uint8Array> {
    yield await this.readBody(Infinity)
  }

  /** Returns a signal that is aborted when the connection has closed or the response was sent. */
  abstract signal(): AbortSignal
}

export interface RequestHead {
  method: string
  url: string
  headers: IncomingHttpHeaders
  peer: Peer
  fault?: Refusal | undefined
}

/** A response without its transport; the adapter writes it. */
export interface ApiResponse {
  status: number
  headers: Record<string, string>
  /** Immutable bytes, which may belong to the cache, or a stream of text. */
  body: Buffer | AsyncIterable<string>
}

export type Handler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>

export interface Route {
  method: string
  /** With `{parameters}`; `*` at the end matches the rest. A trailing slash makes no difference. */
  path: string
  handle: Handler
  /** Added to every response of the route, refusals included. */
  headers?: Record<string, string>
  /** Its response can be an endless stream or a long poll. */
  isStreamed?: boolean
}

export const noBody = Buffer.alloc(0)

export function isStream(body: ApiResponse['body']): body is AsyncIterable<string> {
  return !(body instanceof Uint8Array)
}

export function jsonResponse(value: unknown): ApiResponse {
  const headers = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }
  return { status: 200, headers, body: Buffer.from(JSON.stringify(value)) }
}
