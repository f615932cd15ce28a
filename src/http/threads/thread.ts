import { Worker } from 'node:worker_threads'
import { FairQueue } from '../../domain/fair-queue.ts'
import { Refusal, type RefusalCode, type RefusalFacts } from '../../domain/refusal.ts'
import { limitWork } from './work-limit.ts'

/** What the thread can do. */
export type Task = 'list' | 'subscriptions'

/** How a thread is started. */
export interface ThreadData {
  task: Task
  /** Leaves the processor to others first. */
  isLowPriority: boolean
}

export interface Job {
  body: Uint8Array
  rules: unknown
}

export type Done = { made: unknown } | { refused: { code: RefusalCode; message: string; facts: RefusalFacts } }

/** A job took more time than it was given, or waited behind such a one of the same partner. */
export class Overran extends Error {}

interface ThreadOptions {
  /** Jobs of one partner that wait; more are refused. */
  waitingAtMost: number
  /** What a job that can take for ever is given. */
  limitMs?: number
  /** Called before the next job is begun. */
  overran?: (partner: string) => void
  isLowPriority?: boolean
}

interface RunOptions {
  /** For work that can take for ever. */
  isLimited?: boolean
  /** Memory that is the thread's from then on. Only for work that is not limited, since it cannot be sent twice. */
  handedOver?: ArrayBuffer[]
}

interface Waiting extends Required<RunOptions> {
  partner: string
  job: Job
  resolve(made: unknown): void
  reject(error: Error): void
}

const idleMs = 60_000
/** What a job leaves behind is collected a little more often, in a third of the memory. */
const memory = { maxYoungGenerationSizeMb: 6 }

/**
 * A thread that does one job after the other, those of the partners in turn (round robin): a partner with many jobs delays
 * another by one of them. It starts with the first job, and ends when there has been none for a while.
 */
export class Thread {
  readonly #data: ThreadData
  readonly #options: ThreadOptions
  readonly #waiting: FairQueue<Waiting>
  #current: Waiting | undefined
  #worker: Worker | undefined
  #isReady = false
  /** Calls off what would end an idle thread, or one that is stuck with its job. */
  #spare = () => {}

  constructor(task: Task, options: ThreadOptions) {
    this.#data = { task, isLowPriority: options.isLowPriority ?? false }
    this.#options = options
    this.#waiting = new FairQueue({ perKey: options.waitingAtMost, total: Infinity })
  }

  run(partner: string, job: Job, { isLimited = false, handedOver = [] }: RunOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const isRoom = this.#waiting.add(partner, { partner, job, isLimited, handedOver, resolve, reject })
      if (!isRoom) reject(tooMany())
      else if (this.#current === undefined) this.#next()
    })
  }

  /** Takes a partner's waiting jobs back: each ends as one that overran. */
  withdraw(partner: string): void {
    for (const { reject } of this.#waiting.takeAll(partner)) reject(new Overran())
  }

  #next(): void {
    this.#current = this.#waiting.take()
    if (this.#current === undefined) return this.#rest()
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage(this.#current.job, this.#current.handedOver)
    this.#watch()
  }

  #start(): Worker {
    const script = new URL('./body-worker.mjs', import.meta.url)
    const worker = new Worker(script, { workerData: this.#data, resourceLimits: memory })
    const fail = (error: Error) => worker === this.#worker && this.#fail(error)
    worker.on('message', (done: Done | 'ready') => {
      // One that was given up may still have had something to say.
      if (worker !== this.#worker) return
      if (done !== 'ready') return this.#settle(done)
      this.#isReady = true
      this.#watch()
    })
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread for large bodies ended')))
    return worker
  }

  #settle(done: Done): void {
    if ('made' in done) this.#current?.resolve(done.made)
    else this.#current?.reject(new Refusal(done.refused.code, done.refused.message, done.refused.facts))
    this.#next()
  }

  /** Its start, which takes longer than most jobs, is on nobody's time. */
  #watch(): void {
    this.#spare()
    if (this.#current?.isLimited !== true || !this.#isReady) return
    this.#spare = limitWork(this.#worker as Worker, this.#options.limitMs ?? Infinity, () => this.#giveUp())
  }

  /** Without a job it keeps no process from ending. Not before it is listened to: that would hold the process again. */
  #rest(): void {
    this.#spare()
    this.#worker?.unref()
    const timer = setTimeout(() => this.#end(), idleMs).unref()
    this.#spare = () => clearTimeout(timer)
  }

  #giveUp(): void {
    const { partner, reject } = this.#current as Waiting
    this.#end()
    reject(new Overran())
    this.#options.overran?.(partner)
    this.#next()
  }

  #end(): void {
    this.#spare()
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
