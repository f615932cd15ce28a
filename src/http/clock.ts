/** The current time, read once per turn of the event loop. */
export interface ClockReading {
  /** `performance.now()`, which never jumps. */
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
 * Returns the time, read once per turn of the event loop: reading and formatting it is a good part of a cached read's
 * cost.
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
