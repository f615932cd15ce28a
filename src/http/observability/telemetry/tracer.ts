import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Sampler, TelemetryConfig } from '../../../config/telemetry.ts'
import type { RequestEntry } from '../log.ts'
import type { Trace } from './trace.ts'

export type SpanKind = 'internal' | 'server' | 'client'

export interface Span extends Omit<Trace, 'isKept' | 'beganMs'> {
  name: string
  kind: SpanKind
  /** Both since 1970. */
  startMs: number
  endMs: number
  attributes: Record<string, string | number>
  isFailure: boolean
}

const parentForm = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Notes what became of requests: a span for each, in it one for the operation, in that one for each question to the database. */
export class Tracer {
  readonly #within = new AsyncLocalStorage<Trace>()
  readonly #sampler: Sampler
  readonly #queueSize: number
  readonly #scheme: string
  /** Set when the database is open. */
  databaseSystem = ''
  /** Spans that wait to be sent; the newest are dropped when it is full. */
  #spans: Span[] = []
  /** Spans for which the queue had no place. */
  dropped = 0

  constructor({ sampler, queueSize, traces }: TelemetryConfig, scheme: string) {
    this.#sampler = traces === null ? { ratio: 0, followsCaller: false } : sampler
    this.#queueSize = queueSize
    this.#scheme = scheme
  }

  begin(traceparent: string | undefined, beganMs = performance.now()): Trace {
    const [, traceId, parentId, flags = ''] = parentForm.exec(traceparent ?? '') ?? []
    const own = { spanId: newId(8), beganMs }
    if (traceId !== undefined) {
      const isKeptByCaller = (Number.parseInt(flags, 16) & 1) === 1
      return { ...own, traceId, parentId, isKept: this.#sampler.followsCaller ? isKeptByCaller : this.#keeps(traceId) }
    }
    const newTraceId = newId(16)
    return { ...own, traceId: newTraceId, parentId: undefined, isKept: this.#keeps(newTraceId) }
  }

  /** Decides by the last 52 bits of the id, so that all services with one ratio keep the same traces. */
  #keeps(traceId: string): boolean {
    return Number.parseInt(traceId.slice(-13), 16) >= (1 - this.#sampler.ratio) * 2 ** 52
  }

  within<T>(trace: Trace, work: () => T): T {
    return this.#within.run(trace, work)
  }

  async operation<T>(name: string, work: () => Promise<T>): Promise<T> {
    const request = this.#within.getStore()
    if (request === undefined || !request.isKept) return work()
    const own = childOf(request, performance.now())
    let isFailure = true
    try {
      const result = await this.#within.run(own, work)
      isFailure = false
      return result
    } finally {
      this.#note(own, { name, kind: 'internal', attributes: {}, isFailure })
    }
  }

  /** A transaction, or one statement outside of any, that has just ended. */
  query(kind: string, seconds: number): void {
    const parent = this.#within.getStore()
    if (parent === undefined || !parent.isKept) return
    const own = childOf(parent, performance.now() - seconds * 1000)
    const attributes = { 'db.system.name': this.databaseSystem, 'db.operation.name': kind }
    this.#note(own, { name: `database ${kind}`, kind: 'client', attributes, isFailure: false })
  }

  /** Notes a request that was answered. Of its path only the route is told, as in the log: ids in it are scrubbed. */
  request({ method, route, status, requestId, partner, code }: RequestEntry, trace: Trace): void {
    if (!trace.isKept) return
    const isKnown = knownMethods.includes(method)
    const attributes = {
      'http.request.method': isKnown ? method : '_OTHER',
      ...(!isKnown && { 'http.request.method_original': method }),
      'url.scheme': this.#scheme,
      'url.path': route === null ? '/REDACTED' : route.replace(/:\w+|\*/g, 'REDACTED'),
      'http.response.status_code': status,
      ...(route !== null && { 'http.route': route }),
      ...errorType(code, status),
      ...(partner !== undefined && { 'atrium.partner': partner }),
      'atrium.request_id': requestId,
    }
    const verb = isKnown ? method : 'HTTP'
    const name = route === null ? verb : `${verb} ${route}`
    this.#note(trace, { name, kind: 'server', attributes, isFailure: status >= 500 })
  }

  /** Removes the oldest spans, at most so many. */
  take(count: number): Span[] {
    return this.#spans.splice(0, count)
  }

  /** It ends now. What is within another began after it and is noted before it, so that it also lies within it. */
  #note({ isKept: _, beganMs, ...trace }: Trace, about: Omit<Span, keyof Trace | 'startMs' | 'endMs'>): void {
    if (this.#spans.length >= this.#queueSize) {
      this.dropped++
      return
    }
    const { timeOrigin } = performance
    this.#spans.push({ ...trace, ...about, startMs: timeOrigin + beganMs, endMs: timeOrigin + performance.now() })
  }
}

/** Those of RFC 9110 and RFC 5789; any other could be a text of the caller's, without an end to its values. */
const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']

function errorType(code: string | undefined, status: number): Record<string, string> {
  if (code !== undefined) return { 'error.type': code }
  return status >= 500 ? { 'error.type': String(status) } : {}
}

function childOf({ traceId, spanId: parentId, isKept }: Trace, beganMs: number): Trace {
  return { traceId, spanId: newId(8), parentId, isKept, beganMs }
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
