import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { RequestEntry } from '../log.ts'

/** Where a request stands among the spans of whoever sent it (W3C Trace Context). */
export interface Trace {
  traceId: string
  spanId: string
  parentId: string | undefined
  /** Others are only passed through. */
  isKept: boolean
}

export type SpanKind = 'internal' | 'server' | 'client'

export interface Span extends Omit<Trace, 'isKept'> {
  name: string
  kind: SpanKind
  endMs: number
  durationMs: number
  attributes: Record<string, string | number>
  isFailure: boolean
}

/** What waits to be sent; beyond it the newest is dropped. */
const spansAtMost = 10_000
const parentForm = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Notes what became of requests: a span for each, in it one for the operation, in that one for each question to the database. */
export class Tracer {
  readonly #within = new AsyncLocalStorage<Trace>()
  readonly #ratio: number
  #spans: Span[] = []
  /** What there was no place for. */
  dropped = 0

  /** `ratio` is the part of the traces that begin here which is kept; those that others begin are theirs to choose. */
  constructor(ratio: number) {
    this.#ratio = ratio
  }

  begin(traceparent: string | undefined): Trace {
    const [, traceId, parentId, flags = ''] = parentForm.exec(traceparent ?? '') ?? []
    if (traceId !== undefined) {
      return { traceId, parentId, spanId: newId(8), isKept: (Number.parseInt(flags, 16) & 1) === 1 }
    }
    return { traceId: newId(16), parentId: undefined, spanId: newId(8), isKept: Math.random() < this.#ratio }
  }

  within<T>(trace: Trace, work: () => T): T {
    return this.#within.run(trace, work)
  }

  async operation<T>(name: string, work: () => Promise<T>): Promise<T> {
    const request = this.#within.getStore()
    if (request === undefined || !request.isKept) return work()
    const own = childOf(request)
    const startMs = performance.now()
    let isFailure = true
    try {
      const result = await this.#within.run(own, work)
      isFailure = false
      return result
    } finally {
      this.#note(own, { name, kind: 'internal', durationMs: performance.now() - startMs, attributes: {}, isFailure })
    }
  }

  /** A transaction, or one statement outside of any, that has just ended. */
  query(kind: string, seconds: number): void {
    const parent = this.#within.getStore()
    if (parent === undefined || !parent.isKept) return
    const attributes = { 'db.operation.name': kind }
    const about = { name: `database ${kind}`, kind: 'client', attributes, isFailure: false } as const
    this.#note(childOf(parent), { ...about, durationMs: seconds * 1000 })
  }

  /** A request that was answered. Its route's pattern is told, as in the log, and nothing of what was sent. */
  request({ method, route, status, durationMs, requestId, partner, code }: RequestEntry, trace: Trace): void {
    if (!trace.isKept) return
    const attributes = {
      'http.request.method': method,
      'http.response.status_code': status,
      ...(route !== null && { 'http.route': route }),
      ...(code !== undefined && { 'error.type': code }),
      ...(partner !== undefined && { 'atrium.partner': partner }),
      'atrium.request_id': requestId,
    }
    const name = route === null ? method : `${method} ${route}`
    this.#note(trace, { name, kind: 'server', durationMs, attributes, isFailure: status >= 500 })
  }

  /** What was noted since it was last taken. */
  take(): Span[] {
    const taken = this.#spans
    this.#spans = []
    return taken
  }

  /** What could not be sent is tried again before what came since. */
  giveBack(spans: Span[]): void {
    const all = [...spans, ...this.#spans]
    this.#spans = all.slice(0, spansAtMost)
    this.dropped += all.length - this.#spans.length
  }

  #note({ isKept: _, ...trace }: Trace, span: Omit<Span, keyof Trace | 'endMs'>): void {
    if (this.#spans.length >= spansAtMost) this.dropped++
    else this.#spans.push({ ...trace, ...span, endMs: performance.timeOrigin + performance.now() })
  }
}

function childOf({ traceId, spanId: parentId, isKept }: Trace): Trace {
  return { traceId, spanId: newId(8), parentId, isKept }
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
