import { flushCompileCache } from 'node:module'

const delayMs = 5_000

/**
 * Saves V8's compile cache a few seconds after the start. Node itself saves it only at exit, which a killed process
 * never reaches.
 */
export function saveCompileCache(): void {
  setTimeout(flushCompileCache, delayMs).unref()
}
