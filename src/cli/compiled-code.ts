import { flushCompileCache } from 'node:module'

const afterStartMs = 5_000

/** Node keeps what it compiled when it ends, which a process that is killed never does: do so once it has settled. */
export function keepCompiledCode(): void {
  setTimeout(flushCompileCache, afterStartMs).unref()
}
