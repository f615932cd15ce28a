import { Worker } from 'node:worker_threads'

/**
 * The commits within `withinMs` for which a checkpoint thread is started. The thread takes about 10 MB; so many commits
 * write one to two thousand pages, which is worth it.
 */
const commitsPerCheckpoint = 40
const withinMs = 10_000
/** The thread ends after this time without a checkpoint. */
const idleMs = 60_000
const restartDelayMs = 60_000

/**
 * Checkpoints the write-ahead log in a thread: copies committed pages from the log into the database file. By default
 * the commit that fills the log does this, which blocks it and the event loop for the duration of the disk writes, some
 * 50 ms for 4,000 pages. The thread runs passive checkpoints, which block neither readers nor the writer, every 40
 * commits under load. When there is little load, or the thread fails or falls behind, SQLite's automatic checkpoint
 * (`pragma wal_autocheckpoint`) still limits the log.
 */
export class Checkpointer {
  readonly #path: string
  readonly #onError: (error: unknown) => void
  #worker: Worker | undefined
  #isBusy = false
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
    this.#worker ??= this.#start()
    this.#worker.postMessage('checkpoint')
    this.#idle ??= setTimeout(() => this.stop(), idleMs).unref()
    this.#idle.refresh()
  }

  async stop(): Promise<void> {
    const worker = this.#worker
    this.#reset()
    await worker?.terminate()
  }

  #countFrom(nowMs: number): void {
    this.#sinceMs = nowMs
    this.#commits = 0
  }

  #start(): Worker {
    const script = new URL('./checkpoint-worker.mjs', import.meta.url)
    const worker = new Worker(script, { workerData: this.#path, resourceLimits: { maxYoungGenerationSizeMb: 2 } })
    worker.on('message', () => {
      this.#isBusy = false
    })
    worker.on('error', (error) => {
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
  }
}
