import { openBackup } from '../../backup/file.ts'
import type { Config } from '../../config.ts'
import { type Backup, BackupFault, countRows, type RowCounts } from '../../domain/backup.ts'
import { countAllRows, DatabaseNotEmpty, restoreBackup } from '../../operations/estate/restore.ts'
import type { Db } from '../../storage/database.ts'
import { unknownMigrations } from '../../storage/migrate.ts'
import { confirm, isTerminal } from '../confirm.ts'
import { Failure } from '../failure.ts'
import { minute, print, printJson } from '../output.ts'
import { type Progress, progressBar } from '../progress.ts'
import { withOpenDatabase } from '../with-database.ts'
import { formatRowCounts } from './backup-words.ts'
import { readingFailure } from './file-failure.ts'

export interface RestoreCommand {
  replace: boolean
  /** Whether `--replace` deletes the present data without asking for confirmation. */
  yes: boolean
  json: boolean
}

export async function runRestore(config: Config, file: string, options: RestoreCommand): Promise<number> {
  if (options.replace && !options.yes && !isTerminal()) {
    throw new Failure('--replace asks for confirmation, which needs a terminal: add --yes to skip it')
  }
  const startMs = performance.now()
  const progress = progressBar()
  try {
    const backup = await loadBackup(file, progress)
    const lost = await withOpenDatabase(config, async (db) => {
      progress.clear()
      if (options.replace && !options.yes) await requireConfirmation(db)
      const loading = (part: number) => progress.show('Loading ', part)
      return restoreBackup(db, backup, { replacing: options.replace ? announceDeletion : undefined, progress: loading })
    })
    progress.clear()
    const seconds = Math.round(performance.now() - startMs) / 1000
    const { createdAt, engine } = backup.header
    if (options.json) {
      printJson({ file, created_at: createdAt, engine, rows: backup.counts, replaced: lost, seconds })
    } else {
      print(`Restored ${file} of ${minute(createdAt)}: ${formatRowCounts(backup.counts)} (${seconds.toFixed(1)} s)`)
    }
    return 0
  } catch (error) {
    progress.clear()
    throw explained(error, file)
  }
}

/** Reads and verifies the whole backup first, so that the database is not opened if the file is damaged. */
async function loadBackup(file: string, progress: Progress): Promise<Backup> {
  const backup = await openBackup(file, (part) => progress.show('Checking', part)).catch((error) => {
    throw error instanceof BackupFault ? error : readingFailure(file, error)
  })
  const unknown = unknownMigrations(backup.header.schema)
  if (unknown.length === 0) return backup
  throw new BackupFault(
    `it was created by a newer version of Atrium (${unknown.join(', ')}): use that version or a later one`,
  )
}

/** Asks for confirmation before the transaction begins, so that no lock is held while the person decides. */
async function requireConfirmation(db: Db): Promise<void> {
  const present = await countAllRows(db)
  if (countRows(present) === 0) return
  if (await confirm(`The database has ${formatRowCounts(present)}, which will be deleted.`)) return
  throw new Failure('nothing was restored: to confirm, type yes')
}

function announceDeletion(lost: RowCounts): void {
  process.stderr.write(`Replacing the content of the database: ${formatRowCounts(lost)} will be deleted\n`)
}

function explained(error: unknown, file: string): unknown {
  if (error instanceof BackupFault) return new Failure(`cannot restore ${file}: ${error.message}`)
  if (!(error instanceof DatabaseNotEmpty)) return error
  const present = formatRowCounts(error.counts)
  return new Failure(
    `the database is not empty, it has ${present}: restore into another database, or delete them with --replace`,
  )
}
