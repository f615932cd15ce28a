import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { RoomOperation } from '../../domain/access/grant.ts'
import type { Bucket } from '../../domain/access/rate-limit.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Trace } from '../observability/telemetry/trace.ts'
import { requestId } from './request-id.ts'

/** The other end of the socket: the caller, or a proxy in front of it. */
type Peer = Pick<Socket, 'remoteAddress'> & { readonly encrypted?: boolean }

const noParams: Readonly<Record<string, string>> = {}

/** A request without its connection: adapters create it, so that other code is independent of sockets and parsers. */
export abstract class ApiRequest {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly peer: Peer
  readonly startMs = performance.now()
  /** Why the adapter refuses the request. The pipeline throws it, so that the response is like any other. */
  readonly fault: Refusal | undefined

  /** The address of the socket, or from a trusted proxy. Read only if needed, since it costs a system call. */
  from: Pick<Peer, 'remoteAddress'>
  isEncrypted = false
  route: Route | undefined = undefined
  params = noParams
  token: CachedToken | undefined = undefined
  bucket: Bucket | undefined = undefined
  refusal: Refusal | undefined = undefined
  trace: Trace | undefined = undefined
  /** The wait of a long poll. Subtracted from the duration in log and metrics: it says nothing about the speed. */
  waitedMs = 0
  /** The operations of a bulk call that need a grant, for the request log. */
  roomsNeeded: readonly RoomOperation[] | undefined = undefined
  /** For the logs: what failed in a bulk call, whose own status is 200. */
  failures: { code: string; detail: string } | undefined = undefined

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

  /** Reads the body from the connection. Called after all checks that need no body. */
  abstract readBody(maxBytes: number): Promise<Buffer>

  /** Yields the body, however long. Adapters for long bodies override it, to yield chunks as they arrive. */
  async *bodyChunks(): AsyncGenerator<Uint8Array> {
    yield await this.readBody(Infinity)
  }

  /** Returns a signal that is aborted when the connection closes, or when the response is complete. */
  abstract signal(): AbortSignal
}

interface RequestHead {
  method: string
  url: string
  headers: IncomingHttpHeaders
  peer: Peer
  fault?: Refusal | undefined
}

export interface ApiResponse {
  status: number
  headers: Record<string, string>
  /** The bytes, which must not be changed as they may be in the cache, or a stream. */
  body: Buffer | AsyncIterable<string | Uint8Array>
}

type Handler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>

export interface Route {
  method: string
  /** The path, with `{parameters}`. `*` at its end matches any rest. Requests may add or omit a trailing slash. */
  path: string
  handle: Handler
  /** Headers of every response of this route, including errors. */
  headers?: Record<string, string>
  /** Whether a response can be an endless stream or a long poll. */
  isStreamed?: boolean
}

export const noBody = Buffer.alloc(0)

export function isStream(body: ApiResponse['body']): body is AsyncIterable<string | Uint8Array> {
  return !(body instanceof Uint8Array)
}

export function jsonResponse(value: unknown): ApiResponse {
  const headers = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }
  return { status: 200, headers, body: Buffer.from(JSON.stringify(value)) }
}
