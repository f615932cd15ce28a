import { Worker } from 'node:worker_threads'
import { FairQueue } from '../../domain/fair-queue.ts'
import { Refusal, type RefusalCode, type RefusalFacts } from '../../domain/refusal.ts'
import { limitCpuTime } from './cpu-limit.ts'

/** What the jobs of a thread parse: an autocomplete list, or subscriptions (services of rooms). */
export type Task = 'list' | 'subscriptions'

/** What body-worker.mjs receives as `workerData`. */
export interface ThreadData {
  task: Task
  /** Whether the thread has a lower priority than the event loop, which only Linux supports. */
  isLowPriority: boolean
}

export interface Job {
  body: Uint8Array
  rules: unknown
}

export type JobResult = { value: unknown } | { refusal: { code: RefusalCode; message: string; facts: RefusalFacts } }

/** The error of a job that exceeded its timeout, or that waited while another job of the same partner exceeded it. */
export class JobTimeout extends Error {}

interface ThreadOptions {
  /** The maximum number of pending jobs per partner. Further jobs are refused. */
  maxPending: number
  /** The maximum CPU time in milliseconds of a job with `isLimited`. */
  timeoutMs?: number
  /** Called when a job exceeded its timeout, before the next one starts. */
  onTimeout?: (partner: string) => void
  isLowPriority?: boolean
}

interface RunOptions {
  /** Whether the timeout of the thread applies to this job. */
  isLimited?: boolean
  /** Buffers to move, not copy. Not for jobs with a time limit, which are tried again in another thread. */
  transferList?: ArrayBuffer[]
}

interface PendingJob extends Required<RunOptions> {
  partner: string
  job: Job
  resolve(value: unknown): void
  reject(error: Error): void
}

const idleMs = 60_000
/** A small young generation of V8's heap saves a third of the thread's memory, for a little more garbage collection. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

/**
 * Runs one job at a time and takes turns between partners, so that one with many jobs delays another by only one. It
 * ends after a minute without a job. A timeout terminates it, and a new thread runs the next job.
 */
export class WorkerThread {
  readonly #data: ThreadData
  readonly #options: ThreadOptions
  readonly #pending: FairQueue<PendingJob>
  #current: PendingJob | undefined
  #worker: Worker | undefined
  #isReady = false
  /** Cancels the current timer, which terminates the thread if it is idle for a minute or if its job takes too long. */
  #cancelTimer = () => {}

  constructor(task: Task, options: ThreadOptions) {
    this.#data = { task, isLowPriority: options.isLowPriority ?? false }
    this.#options = options
    this.#pending = new FairQueue({ perKey: options.maxPending, total: Infinity })
  }

  run(partner: string, job: Job, { isLimited = false, transferList = [] }: RunOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const isAdded = this.#pending.add(partner, { partner, job, isLimited, transferList, resolve, reject })
      if (!isAdded) reject(tooMany())
      else if (this.#current === undefined) this.#next()
    })
  }

  cancelPending(partner: string): void {
    for (const { reject } of this.#pending.takeAll(partner)) reject(new JobTimeout())
  }

  #next(): void {
    this.#current = this.#pending.take()
    if (this.#current === undefined) return this.#onIdle()
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage(this.#current.job, this.#current.transferList)
    this.#startTimeout()
  }

  #start(): Worker {
    const script = new URL('./body-worker.mjs', import.meta.url)
    const worker = new Worker(script, { workerData: this.#data, resourceLimits })
    const fail = (error: Error) => worker === this.#worker && this.#fail(error)
    worker.on('message', (message: JobResult | 'ready') => {
      // Ignores a message of an earlier thread, which has been terminated.
      if (worker !== this.#worker) return
      if (message !== 'ready') return this.#settle(message)
      this.#isReady = true
      this.#startTimeout()
    })
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread for large bodies ended')))
    return worker
  }

  #settle(result: JobResult): void {
    if ('value' in result) this.#current?.resolve(result.value)
    else this.#current?.reject(new Refusal(result.refusal.code, result.refusal.message, result.refusal.facts))
    this.#next()
  }

  /** Starts the timeout of the current job. Waits until the thread has started, which takes longer than most jobs. */
  #startTimeout(): void {
    this.#cancelTimer()
    if (this.#current?.isLimited !== true || !this.#isReady) return
    this.#cancelTimer = limitCpuTime(this.#worker as Worker, this.#options.timeoutMs ?? Infinity, () =>
      this.#onTimeout(),
    )
  }

  /** Lets the process exit while idle. Must come after `on('message')`, which keeps the process alive. */
  #onIdle(): void {
    this.#cancelTimer()
    this.#worker?.unref()
    const timer = setTimeout(() => this.#end(), idleMs).unref()
    this.#cancelTimer = () => clearTimeout(timer)
  }

  #onTimeout(): void {
    const { partner, reject } = this.#current as PendingJob
    this.#end()
    reject(new JobTimeout())
    this.#options.onTimeout?.(partner)
    this.#next()
  }

  #end(): void {
    this.#cancelTimer()
    const worker = this.#worker
    this.#worker = undefined
    this.#isReady = false
    void worker?.terminate()
  }

  #fail(error: Error): void {
    this.#end()
    this.#current?.reject(error)
    this.#next()
  }
}

function tooMany(): Refusal {
  const detail = 'Too many large or slow bodies of this partner wait on this node. Nothing was changed.'
  return new Refusal('overloaded', detail, { retryAfterSeconds: 1 })
}
