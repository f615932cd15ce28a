/** Identifies a span in its trace (W3C Trace Context): that of a request, an operation or a query. */
export interface Trace {
  traceId: string
  spanId: string
  parentId: string | undefined
  isSampled: boolean
  /** The start of the span in milliseconds by `performance.now()`. */
  startMs: number
}
