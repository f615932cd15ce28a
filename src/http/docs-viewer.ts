import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Scalar's script for the browser. The package takes a quarter of a second to load: another thread does that. */
export async function viewerScript(): Promise<Buffer> {
  const worker = new Worker(new URL('./docs-viewer-worker.ts', import.meta.url))
  const gone = once(worker, 'exit').then(() => {
    throw new Error('the viewer could not be loaded')
  })
  const [script] = await Promise.race([once(worker, 'message'), gone])
  // What it would point to stays behind.
  return Buffer.from((script as string).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
}
