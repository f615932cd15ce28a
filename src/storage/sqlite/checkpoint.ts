import { Worker } from 'node:worker_threads'

/** The commits before a checkpoint. They write one to two thousand pages, which justify a thread of about 10 MB. */
const commitsPerCheckpoint = 40
const withinMs = 10_000
/** The thread ends when no checkpoint was needed for this long. */
const idleMs = 60_000
const restartDelayMs = 60_000

/**
 * Runs checkpoints in a thread: without it, the commit that fills the write-ahead log would copy all pages into the
 * database file itself, and block the event loop for some 50 ms per 4,000 pages.
 * Under load, the thread runs a passive checkpoint, which blocks neither readers nor the writer, every 40 commits.
 * Under little load, or if the thread fails or is too slow, SQLite's automatic checkpoint still limits the size of the
 * log.
 */
export class Checkpointer {
  readonly #path: string
  readonly #onError: (error: unknown) => void
  #worker: Worker | undefined
  #isBusy = false
  #truncation: PromiseWithResolvers<boolean> | undefined
  #commits = 0
  #sinceMs = 0
  #pausedUntilMs = 0
  #idle: NodeJS.Timeout | undefined

  constructor(path: string, onError: (error: unknown) => void) {
    this.#path = path
    this.#onError = onError
  }

  onCommit(): void {
    const nowMs = performance.now()
    if (nowMs - this.#sinceMs > withinMs) this.#countFrom(nowMs)
    if (++this.#commits < commitsPerCheckpoint || this.#isBusy || nowMs < this.#pausedUntilMs) return
    this.#countFrom(nowMs)
    this.#isBusy = true
    this.#post('checkpoint')
  }

  /** Empties the write-ahead log. Returns false when another connection still needed it. */
  truncate(): Promise<boolean> {
    if (this.#truncation === undefined) {
      this.#truncation = Promise.withResolvers()
      this.#post('truncate')
    }
    return this.#truncation.promise
  }

  /** Waits for a truncation that runs, and ends the thread. */
  async stop(): Promise<void> {
    // Keeps the process alive until the truncation has ended, which the thread alone does not.
    this.#worker?.ref()
    await this.#truncation?.promise.catch(() => {})
    const worker = this.#worker
    this.#reset()
    await worker?.terminate()
  }

  #countFrom(nowMs: number): void {
    this.#sinceMs = nowMs
    this.#commits = 0
  }

  #post(order: 'checkpoint' | 'truncate'): void {
    this.#worker ??= this.#start()
    this.#worker.postMessage(order)
    this.#idle ??= setTimeout(() => this.stop(), idleMs).unref()
    this.#idle.refresh()
  }

  #start(): Worker {
    const script = new URL('./checkpoint-worker.mjs', import.meta.url)
    const worker = new Worker(script, { workerData: this.#path, resourceLimits: { maxYoungGenerationSizeMb: 2 } })
    worker.on('message', (result: 'done' | boolean) => {
      if (result === 'done') this.#isBusy = false
      else this.#endTruncation(result)
    })
    worker.on('error', (error) => {
      this.#truncation?.reject(error)
      this.#pausedUntilMs = performance.now() + restartDelayMs
      this.#onError(error)
    })
    worker.on('exit', () => this.#worker === worker && this.#reset())
    worker.unref()
    return worker
  }

  #reset(): void {
    clearTimeout(this.#idle)
    this.#idle = undefined
    this.#worker = undefined
    this.#isBusy = false
    this.#endTruncation(false)
  }

  #endTruncation(isTruncated: boolean): void {
    this.#truncation?.resolve(isTruncated)
    this.#truncation = undefined
  }
}
