import { execFile } from 'node:child_process'
import { flushCompileCache } from 'node:module'
import { constants } from 'node:os'
import type { Config } from '../config.ts'
import { print } from './output.ts'

/** What is printed about the demo with the line `atrium ready`: `text` for people, `view` with --json for scripts. */
export interface DemoNotice {
  text: string
  view: object
}

/** Prints the line `atrium ready`, for which scripts wait. It looks the same in every log format. */
export function printReady(url: string, options: { json?: boolean }, demo: DemoNotice | undefined): void {
  const ready = `atrium ready on ${url}`
  if (options.json) print(JSON.stringify({ ready, url, ...(demo && { demo: demo.view }) }))
  else print(demo === undefined ? ready : `${ready}\n${demo.text}`)
}

/** Notifies systemd (`Type=notify`) by its own program, because Node cannot send to a Unix datagram socket. */
export function notifyReady({ hasNotifySocket }: Config): void {
  if (!hasNotifySocket) return
  execFile('systemd-notify', ['--ready'], (error) => {
    if (error) process.stderr.write(`atrium: systemd could not be notified (${error.message.trim()})\n`)
  })
}

const compileCacheDelayMs = 5_000

/** Saves V8's compile cache soon after the start: Node saves it only at a normal exit, not when it is killed. */
export function saveCompileCache(): void {
  setTimeout(flushCompileCache, compileCacheDelayMs).unref()
}

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
