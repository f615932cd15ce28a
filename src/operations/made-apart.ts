import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Makes what takes long to make by a worker thread of its own, which posts it and ends. */
export async function madeApart<T = string>(script: URL, workerData?: unknown): Promise<T> {
  const worker = new Worker(script, { workerData })
  const gone = once(worker, 'exit').then(() => {
    throw new Error('a thread ended without what it was to make')
  })
  const [made] = await Promise.race([once(worker, 'message'), gone])
  return made as T
}
