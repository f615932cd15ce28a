import { ExportFailure } from './export.ts'
import type { Span } from './tracer.ts'

const maxAttempts = 8
const maxDelayMs = 60_000

interface SpanQueue {
  /** Removes up to `count` of the oldest spans from the queue and returns them. */
  take(count: number): Span[]
}

type DropReason = 'queue_full' | 'refused' | 'retries_exhausted'

/**
 * Exports spans in batches. Retries a batch with exponential backoff and jitter, but drops a batch that the collector
 * rejected, because it would block all later ones.
 */
export class SpanExporter {
  readonly dropped: Record<Exclude<DropReason, 'queue_full'>, number> = { refused: 0, retries_exhausted: 0 }
  readonly #queue: SpanQueue
  readonly #send: (spans: Span[]) => Promise<number>
  readonly #batchSize: number
  readonly #delayMs: number
  #batch: Span[] = []
  #attempts = 0
  #notBeforeMs = 0
  #running: Promise<void> = Promise.resolve()

  constructor(queue: SpanQueue, send: (spans: Span[]) => Promise<number>, batchSize: number, delayMs: number) {
    this.#queue = queue
    this.#send = send
    this.#batchSize = batchSize
    this.#delayMs = delayMs
  }

  /**
   * Exports all queued spans. Rejects with the last error of any batch. `isLast` is set when the process exits: an
   * earlier failed batch is then retried at once, without backoff.
   */
  flush(isLast = false): Promise<void> {
    this.#running = this.#running.catch(() => {}).then(() => this.#flush(isLast))
    return this.#running
  }

  async #flush(isLast: boolean): Promise<void> {
    if (!isLast && performance.now() < this.#notBeforeMs) return
    let failure: ExportFailure | undefined
    for (;;) {
      if (this.#batch.length === 0) this.#batch = this.#queue.take(this.#batchSize)
      if (this.#batch.length === 0) break
      const failed = await this.#try()
      failure = failed ?? failure
      if (failed !== undefined && this.#batch.length > 0) break
    }
    if (failure !== undefined) throw failure
  }

  async #try(): Promise<ExportFailure | undefined> {
    this.#attempts++
    try {
      this.dropped.refused += await this.#send(this.#batch)
      this.#next()
      return undefined
    } catch (error) {
      if (!(error instanceof ExportFailure)) throw error
      if (!error.isRetryable) this.#drop('refused')
      else if (this.#attempts >= maxAttempts) this.#drop('retries_exhausted')
      else this.#wait(error.retryAfterMs)
      return error
    }
  }

  #drop(reason: keyof SpanExporter['dropped']): void {
    this.dropped[reason] += this.#batch.length
    this.#next()
  }

  #next(): void {
    this.#batch = []
    this.#attempts = 0
  }

  #wait(retryAfterMs: number): void {
    const backoffMs = Math.min(maxDelayMs, this.#delayMs * 2 ** (this.#attempts - 1)) * (0.5 + Math.random())
    this.#notBeforeMs = performance.now() + Math.min(maxDelayMs, Math.max(retryAfterMs, backoffMs))
  }
}
