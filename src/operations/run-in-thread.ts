import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Runs work that would block the event loop. The thread posts its result and exits. */
export async function runInThread<T = string>(script: URL, workerData?: unknown): Promise<T> {
  const worker = new Worker(script, { workerData })
  const exited = once(worker, 'exit').then(() => {
    throw new Error('a worker thread exited without a result')
  })
  const [result] = await Promise.race([once(worker, 'message'), exited])
  return result as T
}
