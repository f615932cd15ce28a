import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A text that takes long to make, made once by a thread of its own, which posts it and ends. */
export async function madeApart(script: URL, workerData?: string): Promise<string> {
  const worker = new Worker(script, { workerData })
  const gone = once(worker, 'exit').then(() => {
    throw new Error('a thread ended without what it was to make')
  })
  const [text] = await Promise.race([once(worker, 'message'), gone])
  return text as string
}
