import type { Config } from '../config.ts'
import { keepCompiledCode } from './compiled-code.ts'
import { printReady } from './ready.ts'
import { stopSignal } from './stop-signal.ts'

export interface ServeOptions {
  demo?: boolean
  json?: boolean
}

/** Runs until a signal asks for the end. */
export async function runServe(given: Config, options: ServeOptions): Promise<number> {
  const config = options.demo ? forDemo(given) : given
  if (config.workers > 1) return (await import('./workers/run.ts')).runWorkers(config, options)
  const asked = stopSignal()
  // The process that keeps several workers has no use for all that this needs.
  const { startServing } = await import('./serving.ts')
  const { url, loadDemo, close } = await startServing(config)
  try {
    printReady(url, options, options.demo ? await loadDemo() : undefined)
    keepCompiledCode()
    await asked
  } finally {
    await close()
  }
  return 0
}

/** On its own machine the demo sends webhooks to receivers there, unless a setting says where they may lead. */
function forDemo(config: Config): Config {
  const isLocal = config.host === 'localhost' || config.host === '::1' || config.host.startsWith('127.')
  return isLocal && config.webhookRanges.length === 0 ? { ...config, webhookRanges: ['127.0.0.0/8'] } : config
}
