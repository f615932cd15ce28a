/** Hears of an outage of the database: at once, then once a minute for as long as it lasts, and when it is over. */
export interface OutageReport {
  away(cause: unknown, forMs: number): void
  back(afterMs: number): void
}

const repeatEveryMs = 60_000
/** An outage is over when something succeeds and nothing has failed for this long: not with each success between failures. */
const calmMs = 1000

/** Makes one outage of all the failures that have it as their reason, so that it is not reported with each of them. */
export class Outage {
  readonly #report: OutageReport
  #sinceMs: number | undefined
  #reportedMs = 0
  #failedMs = 0

  constructor(report: OutageReport) {
    this.#report = report
  }

  failed(cause: unknown): void {
    const nowMs = performance.now()
    const isNew = this.#sinceMs === undefined
    this.#sinceMs ??= nowMs
    this.#failedMs = nowMs
    if (!isNew && nowMs - this.#reportedMs < repeatEveryMs) return
    this.#reportedMs = nowMs
    this.#report.away(cause, nowMs - this.#sinceMs)
  }

  succeeded(): void {
    if (this.#sinceMs === undefined) return
    if (performance.now() - this.#failedMs < calmMs) return
    this.#report.back(this.#failedMs - this.#sinceMs)
    this.#sinceMs = undefined
  }
}
