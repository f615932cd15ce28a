import { flushCompileCache } from 'node:module'

const delayMs = 5_000

/**
 * Saves V8's compile cache a few seconds after the start. Node saves it only at a normal exit, which a process that is
 * killed does not reach.
 */
export function saveCompileCache(): void {
  setTimeout(flushCompileCache, delayMs).unref()
}
