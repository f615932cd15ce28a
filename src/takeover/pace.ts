import { setTimeout as sleep } from 'node:timers/promises'

const slowestIntervalMs = 10_000
/** The longest wait that a server may ask for by Retry-After. Beyond it, the command ends and can be run later. */
const maxPauseMs = 15 * 60_000

interface PaceOptions {
  requestsPerSecond: number
  signal: AbortSignal
  /** Called before each wait that the server asked for. */
  onPause(reason: string, seconds: number): void
}

/** Sends requests at even intervals. Each response `429` permanently doubles the interval. */
export class Pace {
  readonly #options: PaceOptions
  #intervalMs: number
  #nextAtMs = 0

  constructor(options: PaceOptions) {
    this.#options = options
    this.#intervalMs = 1000 / options.requestsPerSecond
  }

  async turn(): Promise<void> {
    const nowMs = performance.now()
    const atMs = Math.max(nowMs, this.#nextAtMs)
    this.#nextAtMs = atMs + this.#intervalMs
    await this.wait(atMs - nowMs)
  }

  slowDown(): void {
    this.#intervalMs = Math.min(Math.max(this.#intervalMs * 2, 1), slowestIntervalMs)
  }

  /** Returns false at once if the wait is longer than `maxPauseMs`. */
  async pause(reason: string, ms: number): Promise<boolean> {
    if (ms > maxPauseMs) return false
    this.#options.onPause(reason, Math.ceil(ms / 1000))
    await this.wait(ms)
    return true
  }

  async wait(ms: number): Promise<void> {
    this.#options.signal.throwIfAborted()
    if (ms > 0) await sleep(ms, undefined, { signal: this.#options.signal })
  }
}

/** Parses seconds or a date (RFC 9110, section 10.2.3) to milliseconds from now. */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
