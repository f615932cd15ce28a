import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../domain/refusal.ts'
import type { Db } from '../storage/database.ts'
import { type MigrationProgress, migrate, migrationState } from '../storage/migrate.ts'

const retryDelayMs = 500

export interface MigrationReport {
  /** Called when the database is unavailable, and again when the reason changes. */
  waiting(reason: string): void
  /** Called with the pending migrations, which this node or another one applies. */
  migrating(pending: string[]): void
  progress(progress: MigrationProgress): void
}

/**
 * Migrates the database. Retries while it is unavailable, since a database server that starts together with the nodes
 * may take longer than they do. Throws on abort.
 */
export async function migrateWhenReachable(
  db: Db,
  waitSeconds: number,
  report: MigrationReport,
  signal?: AbortSignal,
): Promise<void> {
  let lastReason: string | undefined
  for (let retriesLeft = Math.ceil((waitSeconds * 1000) / retryDelayMs); ; retriesLeft--) {
    try {
      await migrate(db, report.progress, signal)
      return
    } catch (error) {
      if (retriesLeft === 0 || !(error instanceof Refusal && error.code === 'database_unavailable')) throw error
      const reason = error.cause instanceof Error ? error.cause.message : error.message
      if (reason !== lastReason) report.waiting(reason)
      lastReason = reason
    }
    await sleep(retryDelayMs, undefined, { ...(signal && { signal }) })
  }
}

/** Reports the migrations that are not applied yet. Reports nothing if the database cannot be read. */
export async function reportPending(db: Db, report: Pick<MigrationReport, 'migrating'>): Promise<void> {
  const { pending } = await migrationState(db).catch(() => ({ pending: [] }))
  if (pending.length > 0) report.migrating(pending)
}
