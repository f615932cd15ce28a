import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import type { Tx } from './engine.ts'
import type { MigrationTx } from './migrations/frozen/migration.ts'

/** How long the statements of a migration may keep the event loop from responding to probes and signals. */
const maxBusyMs = 20

/**
 * Returns the transaction for a migration. Between its statements, which the embedded engine runs synchronously, the
 * event loop turns. When `signal` is aborted, the next statement throws.
 */
export function interruptible({ query, dialect }: Tx, signal?: AbortSignal): MigrationTx {
  let turnedAtMs = performance.now()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (performance.now() - turnedAtMs > maxBusyMs) {
        await nextTurn()
        turnedAtMs = performance.now()
      }
      signal?.throwIfAborted()
      return result
    },
  }
  return { query: query.withPlugin(plugin), dialect }
}
