import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../domain/refusal.ts'
import type { Db } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'

const retryDelayMs = 500

/**
 * Migrates the database, and retries while it is unavailable: a database server that starts together with the nodes may
 * take longer than they do. Calls `waiting` when the reason changes.
 */
export async function migrateWhenReachable(
  db: Db,
  waitSeconds: number,
  waiting: (reason: string) => void,
): Promise<void> {
  let lastReason: string | undefined
  for (let retriesLeft = Math.ceil((waitSeconds * 1000) / retryDelayMs); ; retriesLeft--) {
    try {
      await migrate(db)
      return
    } catch (error) {
      if (retriesLeft === 0 || !(error instanceof Refusal && error.code === 'database_unavailable')) throw error
      const reason = error.cause instanceof Error ? error.cause.message : error.message
      if (reason !== lastReason) waiting(reason)
      lastReason = reason
    }
    await sleep(retryDelayMs)
  }
}
