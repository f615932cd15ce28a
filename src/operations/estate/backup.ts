import type { Actor } from '../../domain/audit/audit.ts'
import type { Backup, BackupPart, BackupTable } from '../../domain/backup.ts'
import { nowIso } from '../../domain/time.ts'
import { recordAudit } from '../../storage/audit/audit.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { existingTables, partsOf, rowCounts } from '../../storage/estate/whole-tables.ts'
import { migrationsIn } from '../../storage/migrate.ts'

/**
 * Backs up the database as it is at one moment, while writes continue. If the replica fails meanwhile, `receive` is
 * called again, with a backup that replaces the first.
 */
export function backUp<T>(db: Db, receive: (backup: Backup) => Promise<T>): Promise<T> {
  return db.readFromReplica(async (tx) => {
    const tables = await existingTables(tx)
    const { applied } = await migrationsIn(tx)
    return receive({
      header: { createdAt: nowIso(), engine: tx.transfer.engine, schema: applied },
      counts: await rowCounts(tx, tables),
      parts: () => allParts(tx, tables),
    })
  })
}

async function* allParts(tx: Tx, tables: BackupTable[]): AsyncGenerator<BackupPart> {
  for (const table of tables) yield* partsOf(tx, table)
}

export async function recordBackup(db: Db, actor: Actor, rows: number): Promise<void> {
  await db.write(async (tx) => {
    recordAudit(tx, { actor, action: 'database.backup', detail: { rows } })
  })
}
