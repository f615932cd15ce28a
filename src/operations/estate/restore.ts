import { commandLine } from '../../domain/audit/audit.ts'
import { type Backup, BackupFault, countRows, type RowCounts } from '../../domain/backup.ts'
import { lastOffset, recordAuditAs } from '../../storage/audit/audit.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import {
  analyzeTables,
  deleteAllRows,
  existingTables,
  insertRows,
  rowCounts,
} from '../../storage/estate/whole-tables.ts'
import { applyMigrations, migrationsIn } from '../../storage/migrate.ts'

interface RestoreOptions {
  /** Called before the present data is deleted. Without this function, the database must be empty. */
  replacing?: ((lost: RowCounts) => void) | undefined
  progress(part: number): void
}

export class DatabaseNotEmpty extends Error {
  readonly counts: RowCounts

  constructor(counts: RowCounts) {
    super('The database is not empty')
    this.counts = counts
  }
}

export function countAllRows(db: Db): Promise<RowCounts> {
  return db.read(async (tx) => rowCounts(tx, await existingTables(tx)))
}

/**
 * Restores in one transaction. Returns the counts of the replaced rows. A backup of an earlier version is loaded into
 * the schema of that version; the later migrations then run on its rows.
 */
export function restoreBackup(db: Db, backup: Backup, options: RestoreOptions): Promise<RowCounts> {
  return db.write(async (tx) => {
    await applyMigrations(tx, backup.header.schema)
    await assertSameSchema(tx, backup)
    const tables = await existingTables(tx)
    await tx.transfer.lockTables(tables.map(({ name }) => name))
    const lost = await rowCounts(tx, tables)
    const highest = lost.audit_entry === undefined ? 0 : await lastOffset({ ask: tx.rows })
    if (countRows(lost) > 0) {
      if (options.replacing === undefined) throw new DatabaseNotEmpty(lost)
      options.replacing(lost)
      await deleteAllRows(tx, tables)
    }
    await load(tx, backup, options.progress)
    await applyMigrations(tx)
    await recordRestore(tx, backup, highest)
    await analyzeTables(tx)
    return lost
  })
}

async function assertSameSchema(tx: Tx, { header: { schema } }: Backup): Promise<void> {
  const { applied } = await migrationsIn(tx)
  const later = applied.filter((name) => !schema.includes(name))
  if (later.length === 0) return
  throw new BackupFault(
    `it is older than the database (${later.join(', ')}): restore it into a new one, which then is brought up to date`,
  )
}

async function load(tx: Tx, backup: Backup, progress: (part: number) => void): Promise<void> {
  const total = countRows(backup.counts)
  let done = 0
  for await (const { table, rows } of backup.parts()) {
    await insertRows(tx, table, rows)
    done += rows.length
    progress(done / total)
  }
  const loaded = await rowCounts(tx, await existingTables(tx))
  for (const [name, count] of Object.entries(loaded)) {
    if (count !== (backup.counts[name] ?? 0)) throw new BackupFault(`its rows of ${name} did not all arrive`)
  }
}

/** Numbers the entry above all earlier ones, so that every running node reads it and clears its cache. */
async function recordRestore(tx: Tx, { header, counts }: Backup, highestBefore: number): Promise<void> {
  const number = Math.max(highestBefore, await lastOffset({ ask: tx.rows })) + 1
  const entry = {
    actor: commandLine,
    action: 'database.restore',
    detail: { created_at: header.createdAt, rows: countRows(counts) },
  } as const
  await recordAuditAs(tx, number, entry)
  for (const { name } of await existingTables(tx)) await tx.transfer.continueNumbers(name)
}
