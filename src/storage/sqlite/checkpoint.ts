import { Worker } from 'node:worker_threads'

/** So many commits within so much time are worth a thread, which takes some 10 MB: as a rule one to two thousand pages. */
const commitsAtOnce = 40
const withinMs = 10_000
const idleMs = 60_000
/** What has just failed is not worth another thread at once. */
const restMs = 60_000

/**
 * Moves what is in the write-ahead log to its place in the file. Done by a commit, every so many pages, it keeps everybody
 * waiting for as long as it takes the disk, which is 50 ms for 4,000 pages; a thread does it beside them while there is
 * much to move. Where there is little, or the thread fails or does not keep up, the writer does it itself when the log has
 * become long.
 */
export class Checkpointer {
  readonly #path: string
  readonly #failed: (error: unknown) => void
  #worker: Worker | undefined
  #isBusy = false
  #commits = 0
  #sinceMs = 0
  #restsUntilMs = 0
  #idle: NodeJS.Timeout | undefined

  constructor(path: string, failed: (error: unknown) => void) {
    this.#path = path
    this.#failed = failed
  }

  noteCommit(): void {
    const nowMs = performance.now()
    if (nowMs - this.#sinceMs > withinMs) this.#countFrom(nowMs)
    if (++this.#commits < commitsAtOnce || this.#isBusy || nowMs < this.#restsUntilMs) return
    this.#countFrom(nowMs)
    this.#isBusy = true
    this.#worker ??= this.#start()
    this.#worker.postMessage('move')
    this.#idle ??= setTimeout(() => this.end(), idleMs).unref()
    this.#idle.refresh()
  }

  async end(): Promise<void> {
    const worker = this.#worker
    this.#forget()
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
      this.#restsUntilMs = performance.now() + restMs
      this.#failed(error)
    })
    worker.on('exit', () => this.#worker === worker && this.#forget())
    worker.unref()
    return worker
  }

  #forget(): void {
    clearTimeout(this.#idle)
    this.#idle = undefined
    this.#worker = undefined
    this.#isBusy = false
  }
}
