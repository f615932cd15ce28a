import { constants } from 'node:os'

/** The signals of one event: npm, a shell and a service manager may each pass it on. */
const sameEventMs = 700

/** The first signal ends the service in order, the second at once. */
export function stopSignal(): Promise<void> {
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
