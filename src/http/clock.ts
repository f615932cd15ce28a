/** What the clocks showed when something was first asked of them in this turn of the event loop. */
export interface ClockReading {
  /** Of the clock that never jumps. */
  readonly monotonicMs: number
  readonly wallMs: number
  readonly iso: string
  /** As in the header Date. */
  readonly httpDate: string
}

let current: ClockReading | undefined
let second = 0
let httpDate = ''

/** Requests of one turn share one reading: each costs as much as a good part of an answer that is at hand. */
export function readClock(): ClockReading {
  if (current !== undefined) return current
  const wallMs = Date.now()
  const thisSecond = Math.floor(wallMs / 1000)
  if (thisSecond !== second) {
    second = thisSecond
    httpDate = new Date(wallMs).toUTCString()
  }
  current = { monotonicMs: performance.now(), wallMs, iso: new Date(wallMs).toISOString(), httpDate }
  setImmediate(forget)
  return current
}

function forget(): void {
  current = undefined
}
