import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Bucket } from '../../domain/access/rate-limit.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Trace } from '../observability/telemetry/trace.ts'
import { requestId } from './request-id.ts'

/** The end of the connection that a request came from. */
export type Peer = Pick<Socket, 'remoteAddress'> & { readonly encrypted?: boolean }

const noParams: Readonly<Record<string, string>> = {}

/**
 * One request without its transport, and what the pipeline learns about it on the way to its response. An adapter makes
 * it; everything behind the adapters knows nothing of sockets and parsers.
 */
export abstract class ApiRequest {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly peer: Peer
  readonly startMs = performance.now()
  /** Why it must be refused before anything else is looked at. */
  readonly fault: Refusal | undefined

  /** The caller, whom trusted proxies may name. Reading a socket's address is not free: it is read when it is needed. */
  from: Pick<Peer, 'remoteAddress'>
  isEncrypted = false
  route: Route | undefined = undefined
  params = noParams
  token: CachedToken | undefined = undefined
  bucket: Bucket | undefined = undefined
  refusal: Refusal | undefined = undefined
  trace: Trace | undefined = undefined
  /** The part of the time that was spent waiting for something to happen: it says nothing about the node's speed. */
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

  /** Takes the body off the connection, where it is left until every check that could refuse the caller is done. */
  abstract readBody(maxBytes: number): Promise<Buffer>

  /** Aborted when the client has hung up or has its response. */
  abstract signal(): AbortSignal
}

export interface RequestHead {
  method: string
  url: string
  headers: IncomingHttpHeaders
  peer: Peer
  fault?: Refusal | undefined
}

/** What is sent, whichever adapter writes it. */
export interface ApiResponse {
  status: number
  headers: Record<string, string>
  /** Bytes that nobody changes, or text that is sent piece by piece as it comes. */
  body: Buffer | AsyncIterable<string>
}

export type Handler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>

/** One method of one path. */
export interface Route {
  method: string
  /** With `{parameters}`; `*` at the end takes the rest. It answers with and without a slash at its end. */
  path: string
  handle: Handler
  /** Headers of each of its responses, refusals included. */
  headers?: Record<string, string>
  /** It can answer without an end, or after a long wait. */
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
