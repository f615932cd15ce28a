import { openBackup } from '../../backup/file.ts'
import type { Config } from '../../config.ts'
import { type Backup, BackupFault, countRows, type RowCounts } from '../../domain/backup.ts'
import { DatabaseNotEmpty, restoreBackup, rowsPresent } from '../../operations/estate/restore.ts'
import type { Db } from '../../storage/database.ts'
import { unknownMigrations } from '../../storage/migrate.ts'
import { confirm, isTerminal } from '../confirm.ts'
import { Failure } from '../failure.ts'
import { minute, print, printJson } from '../output.ts'
import { type Progress, progressBar } from '../progress.ts'
import { withOpenDatabase } from '../with-database.ts'
import { rowsInWords } from './backup-words.ts'
import { readingFailure } from './reading-failure.ts'

export interface RestoreCommand {
  replace: boolean
  /** Replaces without asking. */
  yes: boolean
  json: boolean
}

export async function runRestore(config: Config, file: string, options: RestoreCommand): Promise<number> {
  if (options.replace && !options.yes && !isTerminal()) {
    throw new Failure('--replace asks before it deletes, which needs a terminal: add --yes to go on without')
  }
  const startMs = performance.now()
  const progress = progressBar()
  try {
    const backup = await whole(file, progress)
    const lost = await withOpenDatabase(config, async (db) => {
      progress.clear()
      if (options.replace && !options.yes) await demandConsent(db)
      const loading = (part: number) => progress.show('Loading ', part)
      return restoreBackup(db, backup, { replacing: options.replace ? sayLoss : undefined, progress: loading })
    })
    progress.clear()
    const seconds = Math.round(performance.now() - startMs) / 1000
    const { createdAt, engine } = backup.header
    if (options.json) {
      printJson({ file, created_at: createdAt, engine, rows: backup.counts, replaced: lost, seconds })
    } else {
      print(`Restored ${file} of ${minute(createdAt)}: ${rowsInWords(backup.counts)} (${seconds.toFixed(1)} s)`)
    }
    return 0
  } catch (error) {
    progress.clear()
    throw explained(error, file)
  }
}

/** The whole file first: one that is wrong does not even open the database. */
async function whole(file: string, progress: Progress): Promise<Backup> {
  const backup = await openBackup(file, (part) => progress.show('Checking', part)).catch((error) => {
    throw error instanceof BackupFault ? error : readingFailure(file, error)
  })
  const unknown = unknownMigrations(backup.header.schema)
  if (unknown.length === 0) return backup
  throw new BackupFault(`it was made by a newer Atrium (${unknown.join(', ')}): use that version or a later one`)
}

/** Asks before the transaction begins: nothing is locked while the answer is awaited. */
async function demandConsent(db: Db): Promise<void> {
  const there = await rowsPresent(db)
  if (countRows(there) === 0) return
  if (await confirm(`The database has ${rowsInWords(there)}, which will be lost.`)) return
  throw new Failure('nothing was restored: the answer was not yes')
}

function sayLoss(lost: RowCounts): void {
  process.stderr.write(`Replacing what is in the database: ${rowsInWords(lost)} will be lost\n`)
}

function explained(error: unknown, file: string): unknown {
  if (error instanceof BackupFault) return new Failure(`cannot restore ${file}: ${error.message}`)
  if (!(error instanceof DatabaseNotEmpty)) return error
  const there = rowsInWords(error.counts)
  return new Failure(
    `the database is not empty, it has ${there}: restore into another one, or lose them with --replace`,
  )
}
