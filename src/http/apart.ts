import { Worker } from 'node:worker_threads'
import { draftList, type ListDraft, type ListRules } from '../domain/autocomplete-list.ts'
import { Refusal, type RefusalCode, type RefusalFacts } from '../domain/refusal.ts'

export interface Job {
  id: number
  body: Uint8Array
  rules: ListRules
}

export type Done =
  | { id: number; draft: ListDraft }
  | { id: number; refused: { code: RefusalCode; message: string; facts: RefusalFacts } }

interface Waiting {
  resolve(draft: ListDraft): void
  reject(error: Error): void
}

/** What is smaller is done sooner than it is handed over. */
const largeBytes = 32_768
const idleMs = 60_000

/** Large bodies are read by a thread of their own, so that nobody else waits for them. It starts with the first. */
export class Apart {
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0
  #idle: NodeJS.Timeout | undefined

  async draftList(body: Uint8Array, rules: ListRules): Promise<ListDraft> {
    if (body.length < largeBytes) return draftList(body, rules)
    const worker = this.#start()
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.postMessage({ id, body, rules } satisfies Job)
    })
  }

  #start(): Worker {
    clearTimeout(this.#idle)
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(new URL('./apart-worker.ts', import.meta.url))
    worker.unref()
    worker.on('message', (done: Done) => this.#settle(done))
    worker.on('error', (error) => this.#fail(error))
    worker.on('exit', () => this.#worker === worker && this.#fail(new Error('the thread for large bodies ended')))
    this.#worker = worker
    return worker
  }

  #settle(done: Done): void {
    const waiting = this.#waiting.get(done.id)
    this.#waiting.delete(done.id)
    if ('draft' in done) waiting?.resolve(done.draft)
    else waiting?.reject(new Refusal(done.refused.code, done.refused.message, done.refused.facts))
    if (this.#waiting.size > 0) return
    this.#idle = setTimeout(() => this.#end(), idleMs).unref()
  }

  #end(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }

  #fail(error: Error): void {
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
