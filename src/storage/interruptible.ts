import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import type { Tx } from './engine.ts'
import type { MigrationTx } from './migrations/frozen/migration.ts'

/** How long the statements of a migration may keep the event loop from responding to probes and signals. */
const maxBusyMs = 20

/** Lets the event loop turn between statements, which the embedded engine runs synchronously. Throws once aborted. */
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
