/** The trace context of a request or an operation (W3C Trace Context). */
export interface Trace {
  traceId: string
  spanId: string
  parentId: string | undefined
  /** Whether its spans are recorded. */
  isSampled: boolean
  /** By `performance.now()`. */
  startMs: number
}
