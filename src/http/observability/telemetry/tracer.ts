import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Sampler, TelemetryConfig } from '../../../config/telemetry.ts'
import type { RequestEntry } from '../log.ts'
import type { Trace } from './trace.ts'

export type SpanKind = 'internal' | 'server' | 'client'

export interface Span extends Omit<Trace, 'isSampled' | 'startMs'> {
  name: string
  kind: SpanKind
  /** Start and end of the span in Unix time, in milliseconds. */
  startMs: number
  endMs: number
  attributes: Record<string, string | number>
  isFailure: boolean
}

const traceparentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Records one span per request, within it one per operation, and within that one per transaction or single query. */
export class Tracer {
  readonly #current = new AsyncLocalStorage<Trace>()
  readonly #sampler: Sampler
  readonly #queueSize: number
  readonly #scheme: string
  /** The database engine, for the attributes of spans. Set when the database is open. */
  databaseSystem = ''
  /** The queue of spans to export. While it is full, further spans are dropped. */
  #spans: Span[] = []
  dropped = 0

  constructor({ sampler, queueSize, traces }: TelemetryConfig, scheme: string) {
    this.#sampler = traces === null ? { ratio: 0, followsCaller: false } : sampler
    this.#queueSize = queueSize
    this.#scheme = scheme
  }

  start(traceparent: string | undefined, startMs = performance.now()): Trace {
    const [, traceId, parentId, flags = ''] = traceparentPattern.exec(traceparent ?? '') ?? []
    const own = { spanId: newId(8), startMs }
    if (traceId !== undefined) {
      const isSampledByCaller = (Number.parseInt(flags, 16) & 1) === 1
      return {
        ...own,
        traceId,
        parentId,
        isSampled: this.#sampler.followsCaller ? isSampledByCaller : this.#samples(traceId),
      }
    }
    const newTraceId = newId(16)
    return { ...own, traceId: newTraceId, parentId: undefined, isSampled: this.#samples(newTraceId) }
  }

  /**
   * Returns whether the trace is exported. Decides by the last 52 bits of the trace id, so that services with the same
   * sampling ratio choose the same traces.
   */
  #samples(traceId: string): boolean {
    return Number.parseInt(traceId.slice(-13), 16) >= (1 - this.#sampler.ratio) * 2 ** 52
  }

  run<T>(trace: Trace, work: () => T): T {
    return this.#current.run(trace, work)
  }

  async operation<T>(name: string, work: () => Promise<T>): Promise<T> {
    const request = this.#current.getStore()
    if (request === undefined || !request.isSampled) return work()
    const own = childOf(request, performance.now())
    let isFailure = true
    try {
      const result = await this.#current.run(own, work)
      isFailure = false
      return result
    } finally {
      this.#record(own, { name, kind: 'internal', attributes: {}, isFailure })
    }
  }

  /** Records a transaction or a single query that has just ended. */
  query(kind: string, seconds: number): void {
    const parent = this.#current.getStore()
    if (parent === undefined || !parent.isSampled) return
    const own = childOf(parent, performance.now() - seconds * 1000)
    const attributes = { 'db.system.name': this.databaseSystem, 'db.operation.name': kind }
    this.#record(own, { name: `database ${kind}`, kind: 'client', attributes, isFailure: false })
  }

  /** Records a completed request. `url.path` has REDACTED in place of ids, which traces must not contain. */
  request({ method, route, status, requestId, partner, code }: RequestEntry, trace: Trace): void {
    if (!trace.isSampled) return
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
    this.#record(trace, { name, kind: 'server', attributes, isFailure: status >= 500 })
  }

  take(count: number): Span[] {
    return this.#spans.splice(0, count)
  }

  /** Queues a span that ends now. Inner spans are recorded first, so that each ends before the span around it. */
  #record({ isSampled: _, startMs, ...trace }: Trace, about: Omit<Span, keyof Trace | 'endMs'>): void {
    if (this.#spans.length >= this.#queueSize) {
      this.dropped++
      return
    }
    const { timeOrigin } = performance
    this.#spans.push({ ...trace, ...about, startMs: timeOrigin + startMs, endMs: timeOrigin + performance.now() })
  }
}

/** The methods of RFC 9110 and RFC 5789. Others become `_OTHER`: callers cannot invent any number of values. */
const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']

function errorType(code: string | undefined, status: number): Record<string, string> {
  if (code !== undefined && status >= 400) return { 'error.type': code }
  return status >= 500 ? { 'error.type': String(status) } : {}
}

function childOf({ traceId, spanId: parentId, isSampled }: Trace, startMs: number): Trace {
  return { traceId, spanId: newId(8), parentId, isSampled, startMs }
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
