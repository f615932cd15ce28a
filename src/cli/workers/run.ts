import cluster from 'node:cluster'
import type { Config } from '../../config.ts'
import type { ServeOptions } from '../serve.ts'

/** Runs the primary process, or a worker that it started with the same command line; `cluster` knows which it is. */
export async function runWorkers(config: Config, options: ServeOptions): Promise<number> {
  return cluster.isPrimary
    ? (await import('./primary.ts')).runPrimary(config, options)
    : (await import('./worker.ts')).runWorker(config)
}
