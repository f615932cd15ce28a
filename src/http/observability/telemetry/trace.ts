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
