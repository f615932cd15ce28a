interface ClockReading {
  /** Milliseconds by `performance.now()`, which never jumps, unlike the time of day. */
  readonly monotonicMs: number
  readonly wallMs: number
  readonly iso: string
  readonly httpDate: string
}

let current: ClockReading | undefined
let second = 0
let httpDate = ''

/** Reads the time once per turn of the event loop: reading and formatting it is a notable cost of a cached read. */
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
