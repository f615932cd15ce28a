import type { Config } from '../config.ts'
import { saveCompileCache } from './compile-cache.ts'
import { notifyReady } from './notify-ready.ts'
import { printReady } from './ready.ts'
import { stopSignal } from './stop-signal.ts'

export interface ServeOptions {
  demo?: boolean
  json?: boolean
}

/** Runs the service until a signal stops it. */
export async function runServe(settings: Config, options: ServeOptions): Promise<number> {
  const config = options.demo ? forDemo(settings) : settings
  if (config.workers > 1) return (await import('./workers/run.ts')).runWorkers(config, options)
  const stopRequested = stopSignal()
  // The import is here because the primary process of a worker pool does not need the service.
  const { startServing } = await import('./serving.ts')
  const { url, loadDemo, close } = await startServing(config)
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

/** Lets a demo on a loopback address send webhooks to this machine, unless a setting restricts their targets. */
function forDemo(config: Config): Config {
  const isLocal = config.host === 'localhost' || config.host === '::1' || config.host.startsWith('127.')
  return isLocal && config.webhookRanges.length === 0 ? { ...config, webhookRanges: ['127.0.0.0/8'] } : config
}
