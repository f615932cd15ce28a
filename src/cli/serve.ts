import type { Config } from '../config.ts'
import { keepCompiledCode } from './compiled-code.ts'
import { printReady } from './ready.ts'
import { stopSignal } from './stop-signal.ts'

export interface ServeOptions {
  demo?: boolean
  json?: boolean
}

/** Runs until a signal asks for the end. */
export async function runServe(config: Config, options: ServeOptions): Promise<number> {
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
