import { Worker } from 'node:worker_threads'
import { Refusal, type RefusalCode, type RefusalFacts } from '../domain/refusal.ts'
import { limitWork } from './work-limit.ts'

/** What the thread can do. */
export type Task = 'list' | 'subscriptions'

export interface Job {
  id: number
  task: Task
  body: Uint8Array
  rules: unknown
}

export type Done =
  | { id: number; made: unknown }
  | { id: number; refused: { code: RefusalCode; message: string; facts: RefusalFacts } }

interface RunOptions {
  /** What to say when it takes too long; nothing for work that cannot. */
  overdue?: Refusal | undefined
  /** Memory that is the thread's from then on. Only for work that cannot take too long, since it cannot be sent twice. */
  handedOver?: ArrayBuffer[]
}

interface Waiting {
  job: Job
  overdue: Refusal | undefined
  resolve(made: unknown): void
  reject(error: Error): void
}

const idleMs = 60_000
const limitMs = 1000
/** What a job leaves behind is collected a little more often, in a third of the memory. */
const memory = { maxYoungGenerationSizeMb: 6 }

/** A thread that does one job after the other. It starts with the first, and ends when there has been none for a while. */
export class Thread {
  readonly #task: Task
  /** In the order in which they are done. */
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #isReady = false
  #lastId = 0
  /** Calls off what would end an idle thread, or one that is stuck with its job. */
  #spare = () => {}

  constructor(task: Task) {
    this.#task = task
  }

  run(body: Uint8Array, rules: unknown, { overdue, handedOver = [] }: RunOptions = {}): Promise<unknown> {
    const job = { id: ++this.#lastId, task: this.#task, body, rules }
    return new Promise((resolve, reject) => {
      this.#waiting.set(job.id, { job, overdue, resolve, reject })
      this.#worker ??= this.#start()
      this.#worker.ref()
      this.#worker.postMessage(job, handedOver)
      if (this.#waiting.size === 1) this.#watch()
    })
  }

  #start(): Worker {
    const script = new URL('./apart-worker.mjs', import.meta.url)
    const worker = new Worker(script, { workerData: this.#task, resourceLimits: memory })
    worker.on('message', (done: Done | 'ready') => {
      if (done === 'ready') this.#isReady = true
      else this.#settle(done)
      this.#watch()
    })
    worker.on('error', (error) => this.#fail(error))
    worker.on('exit', () => this.#worker === worker && this.#fail(new Error('the thread for large bodies ended')))
    return worker
  }

  #settle(done: Done): void {
    const waiting = this.#waiting.get(done.id)
    this.#waiting.delete(done.id)
    if ('made' in done) waiting?.resolve(done.made)
    else waiting?.reject(new Refusal(done.refused.code, done.refused.message, done.refused.facts))
  }

  /** Its start, which takes longer than most jobs, is on nobody's time. */
  #watch(): void {
    this.#spare()
    const [first] = this.#waiting.values()
    if (first === undefined) this.#rest()
    else if (first.overdue !== undefined && this.#isReady) {
      this.#spare = limitWork(this.#worker as Worker, limitMs, () => this.#giveUp(first))
    }
  }

  /** Without a job it keeps no process from ending. Not before it is listened to: that would hold the process again. */
  #rest(): void {
    this.#worker?.unref()
    const timer = setTimeout(() => this.#end(), idleMs).unref()
    this.#spare = () => clearTimeout(timer)
  }

  #giveUp({ job, overdue, reject }: Waiting): void {
    this.#waiting.delete(job.id)
    this.#end()
    reject(overdue as Refusal)
    if (this.#waiting.size === 0) return
    this.#worker = this.#start()
    for (const waiting of this.#waiting.values()) this.#worker.postMessage(waiting.job)
  }

  #end(): void {
    const worker = this.#worker
    this.#worker = undefined
    this.#isReady = false
    void worker?.terminate()
  }

  #fail(error: Error): void {
    this.#end()
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
