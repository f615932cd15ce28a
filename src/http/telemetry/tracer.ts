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
  /** On the clock of `performance.now()`. */
  beganMs: number
}

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

  begin(traceparent: string | undefined, beganMs = performance.now()): Trace {
    const [, traceId, parentId, flags = ''] = parentForm.exec(traceparent ?? '') ?? []
    const own = { spanId: newId(8), beganMs }
    if (traceId !== undefined) {
      return { ...own, traceId, parentId, isKept: (Number.parseInt(flags, 16) & 1) === 1 }
    }
    return { ...own, traceId: newId(16), parentId: undefined, isKept: Math.random() < this.#ratio }
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
    const attributes = { 'db.operation.name': kind }
    this.#note(own, { name: `database ${kind}`, kind: 'client', attributes, isFailure: false })
  }

  /** A request that was answered. Its route's pattern is told, as in the log, and nothing of what was sent. */
  request({ method, route, status, requestId, partner, code }: RequestEntry, trace: Trace): void {
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
    this.#note(trace, { name, kind: 'server', attributes, isFailure: status >= 500 })
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

  /** It ends now. What is within another began after it and is noted before it, so that it also lies within it. */
  #note({ isKept: _, beganMs, ...trace }: Trace, about: Omit<Span, keyof Trace | 'startMs' | 'endMs'>): void {
    if (this.#spans.length >= spansAtMost) {
      this.dropped++
      return
    }
    const { timeOrigin } = performance
    this.#spans.push({ ...trace, ...about, startMs: timeOrigin + beganMs, endMs: timeOrigin + performance.now() })
  }
}

function childOf({ traceId, spanId: parentId, isKept }: Trace, beganMs: number): Trace {
  return { traceId, spanId: newId(8), parentId, isKept, beganMs }
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
