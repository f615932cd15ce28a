import type { Config } from '../../config.ts'
import { printReady } from '../ready.ts'
import type { ServeOptions } from '../serve.ts'
import { stopSignal } from '../stop-signal.ts'
import { createCrew } from './crew.ts'

/** Keeps the workers, and answers no request itself. */
export async function runPrimary(config: Config, options: ServeOptions): Promise<number> {
  const asked = stopSignal()
  const crew = await createCrew(config)
  try {
    const url = await crew.start()
    printReady(url, options, options.demo ? await crew.loadDemo() : undefined)
    crew.replaceTheDead(url)
    await asked
  } finally {
    await crew.stop()
  }
  return 0
}
