/** Receives the reports of an outage: at its start, then once a minute while it lasts, and at its end. */
export interface OutageReport {
  onDown(cause: unknown, forMs: number): void
  onUp(afterMs: number): void
}

const repeatEveryMs = 60_000
/** An outage ends with the first success after this long without a failure, so short recoveries do not end it. */
const calmMs = 1000

/** Merges successive database failures, so that the log gets one line a minute instead of one per request. */
export class Outage {
  readonly #report: OutageReport
  #sinceMs: number | undefined
  #reportedMs = 0
  #failedMs = 0

  constructor(report: OutageReport) {
    this.#report = report
  }

  onFailure(cause: unknown): void {
    const nowMs = performance.now()
    const isNew = this.#sinceMs === undefined
    this.#sinceMs ??= nowMs
    this.#failedMs = nowMs
    if (!isNew && nowMs - this.#reportedMs < repeatEveryMs) return
    this.#reportedMs = nowMs
    this.#report.onDown(cause, nowMs - this.#sinceMs)
  }

  onSuccess(): void {
    if (this.#sinceMs === undefined) return
    if (performance.now() - this.#failedMs < calmMs) return
    this.#report.onUp(this.#failedMs - this.#sinceMs)
    this.#sinceMs = undefined
  }
}
