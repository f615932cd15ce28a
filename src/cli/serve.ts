import cluster from 'node:cluster'
import type { Config } from '../config.ts'
import { notifyReady, printReady, saveCompileCache, stopSignal } from './lifecycle.ts'

export interface ServeOptions {
  demo?: boolean
  json?: boolean
}

export async function runServe(settings: Config, options: ServeOptions): Promise<number> {
  const config = options.demo ? forDemo(settings) : settings
  if (config.workers > 1) return serveByWorkers(config, options)
  const stopRequested = stopSignal()
  // Imported only here: with several workers, the primary process does not need the modules of the service.
  const { startUnlessStopped } = await import('./serving.ts')
  const serving = await startUnlessStopped(stopRequested, config)
  if (serving === undefined) return 0
  const { url, loadDemo, close } = serving
  try {
    printReady(url, options, options.demo ? await loadDemo() : undefined)
    notifyReady(config)
    saveCompileCache()
    await stopRequested
  } finally {
    await close()
  }
  return 0
}

/** Runs the primary process, or a worker that it started with the same command line; `cluster` knows which it is. */
async function serveByWorkers(config: Config, options: ServeOptions): Promise<number> {
  return cluster.isPrimary
    ? (await import('./workers/primary.ts')).runPrimary(config, options)
    : (await import('./workers/worker.ts')).runWorker(config)
}

/** Lets a demo on a loopback address send webhooks to this machine, unless the allowed ranges are configured. */
function forDemo(config: Config): Config {
  const isLocal = config.host === 'localhost' || config.host === '::1' || config.host.startsWith('127.')
  return isLocal && config.webhookRanges.length === 0 ? { ...config, webhookRanges: ['127.0.0.0/8'] } : config
}
