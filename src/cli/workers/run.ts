import cluster from 'node:cluster'
import type { Config } from '../../config.ts'
import type { ServeOptions } from '../serve.ts'

/** The same command line starts the process that keeps the workers and, by it, each of them. */
export async function runWorkers(config: Config, options: ServeOptions): Promise<number> {
  return cluster.isPrimary
    ? (await import('./primary.ts')).runPrimary(config, options)
    : (await import('./worker.ts')).runWorker(config)
}
