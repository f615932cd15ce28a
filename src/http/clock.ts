/** The current time, which is read at most once per turn of the event loop. */
export interface ClockReading {
  /** Milliseconds by `performance.now()`, which never jumps, unlike the time of day. */
  readonly monotonicMs: number
  readonly wallMs: number
  readonly iso: string
  /** The time in the format of the Date header. */
  readonly httpDate: string
}

let current: ClockReading | undefined
let second = 0
let httpDate = ''

/**
 * Returns the time, read at most once per turn of the event loop: to read and format it is a notable part of the cost
 * of a cached read.
 */
export function readClock(): ClockReading {
  if (current !== undefined) return current
  const wallMs = Date.now()
  const thisSecond = Math.floor(wallMs / 1000)
  if (thisSecond !== second) {
    second = thisSecond
    httpDate = new Date(wallMs).toUTCString()
  }
  current = { monotonicMs: performance.now(), wallMs, iso: new Date(wallMs).toISOString(), httpDate }
  setImmediate(invalidate)
  return current
}

function invalidate(): void {
  current = undefined
}
