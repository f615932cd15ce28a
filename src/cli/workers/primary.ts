import type { Config } from '../../config.ts'
import { notifyReady, printReady, stopSignal } from '../lifecycle.ts'
import type { ServeOptions } from '../serve.ts'
import { createWorkerPool } from './worker-pool.ts'

/** Runs several workers until a signal stops them. The primary process, this one, handles no requests. */
export async function runPrimary(config: Config, options: ServeOptions): Promise<number> {
  const stopRequested = stopSignal()
  const pool = await createWorkerPool(config)
  try {
    const url = await Promise.race([pool.start(), stopRequested.then(() => undefined)])
    if (url === undefined) return 0
    printReady(url, options, options.demo ? await pool.loadDemo() : undefined)
    notifyReady(config)
    pool.restartCrashed(url)
    await stopRequested
  } finally {
    await pool.stop()
  }
  return 0
}
