import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Runs a script in a worker thread of its own, which posts its result and ends. For work that would block the event loop. */
export async function runInThread<T = string>(script: URL, workerData?: unknown): Promise<T> {
  const worker = new Worker(script, { workerData })
  const gone = once(worker, 'exit').then(() => {
    throw new Error('a thread ended without what it was to make')
  })
  const [made] = await Promise.race([once(worker, 'message'), gone])
  return made as T
}
