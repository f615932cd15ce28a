import cluster from 'node:cluster'
import type { Config } from '../../config.ts'
import type { ServeOptions } from '../serve.ts'

/** The primary process and the workers that it forks run the same command line; `cluster` tells them apart. */
export async function runWorkers(config: Config, options: ServeOptions): Promise<number> {
  return cluster.isPrimary
    ? (await import('./primary.ts')).runPrimary(config, options)
    : (await import('./worker.ts')).runWorker(config)
}
