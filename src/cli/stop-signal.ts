import { constants } from 'node:os'

/** Signals within this time count as one: for one Ctrl+C, npm, a shell and a service manager may each send a signal. */
const duplicateSignalMs = 700

/** Resolves at the first SIGINT or SIGTERM. A later one ends the process at once, without a clean stop. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        firstAtMs ??= performance.now()
        if (performance.now() - firstAtMs > duplicateSignalMs) process.exit(128 + constants.signals[signal])
        resolve()
      })
    }
  })
}
