import { constants } from 'node:os'
import type { Config } from '../config.ts'
import { startService } from '../service.ts'
import { demoText, demoView, loadDemo } from './demo.ts'
import { print } from './output.ts'
import { withOpenDatabase } from './with-database.ts'

export interface ServeOptions {
  demo?: boolean
  json?: boolean
}

/** Runs until a signal asks for the end. */
export async function runServe(config: Config, options: ServeOptions): Promise<number> {
  const asked = stopSignal()
  // Opened once beforehand, to say what is wrong with the setting if it cannot be.
  await withOpenDatabase(config, async () => {})
  const service = await startService(config)
  try {
    const demo = options.demo ? await loadDemo(service.db, config) : undefined
    const ready = `atrium ready on ${service.url}`
    // A plain line of its own, whatever form the log has: scripts wait for it.
    if (options.json) print(JSON.stringify({ ready, url: service.url, ...(demo && { demo: demoView(demo) }) }))
    else print(demo === undefined ? ready : `${ready}\n${demoText(demo, service.url)}`)
    await asked
  } finally {
    await service.close()
  }
  return 0
}

/** The signals of one event: npm, a shell and a service manager may each pass it on. */
const sameEventMs = 700

/** The first signal ends the service in order, the second at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        firstAtMs ??= performance.now()
        if (performance.now() - firstAtMs > sameEventMs) process.exit(128 + constants.signals[signal])
        resolve()
      })
    }
  })
}
