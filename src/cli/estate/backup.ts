import { stat } from 'node:fs/promises'
import { type SavedBackup, saveBackup } from '../../backup/file.ts'
import type { Config } from '../../config.ts'
import type { BackupHeader } from '../../domain/backup.ts'
import { backUp } from '../../operations/estate/backup.ts'
import type { Db } from '../../storage/database.ts'
import { Failure } from '../failure.ts'
import { print, printJson } from '../output.ts'
import { progressBar } from '../progress.ts'
import { untilInterrupted } from '../until-interrupted.ts'
import { withExistingDatabase } from '../with-database.ts'
import { formatRowCounts } from './backup-words.ts'

export interface BackupCommand {
  force: boolean
  json: boolean
}

export async function runBackup(config: Config, file: string, options: BackupCommand): Promise<number> {
  const startMs = performance.now()
  await assertFree(file, options.force)
  const { header, written } = await withExistingDatabase(config, (db) => saveDatabase(db, file))
  const seconds = Math.round(performance.now() - startMs) / 1000
  const { rows, sha256, bytes } = written
  if (options.json) {
    const { createdAt: created_at, engine, schema } = header
    printJson({ file, bytes, sha256, created_at, engine, schema: schema.at(-1), rows, seconds })
  } else
    print(
      `Wrote ${file}: ${formatRowCounts(rows)}; ${bytes} bytes, verified by reading it back (${seconds.toFixed(1)} s)`,
    )
  return 0
}

export async function assertFree(file: string, force: boolean): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return
  if (!found.isFile()) throw new Failure(`cannot write ${file}: it is not a regular file`)
  if (!force) throw new Failure(`${file} exists already: choose another name, or replace it with --force`)
}

export async function saveDatabase(db: Db, file: string): Promise<{ header: BackupHeader; written: SavedBackup }> {
  const progress = progressBar()
  try {
    return await untilInterrupted((signal) =>
      backUp(db, async (backup) => {
        const writing = (part: number) => progress.show('Writing ', part)
        const checking = (part: number) => progress.show('Checking', part)
        return { header: backup.header, written: await saveBackup(file, backup, { writing, checking, signal }) }
      }),
    )
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    throw code !== undefined && syscall !== undefined ? new Failure(`cannot write ${file}: ${message}`) : error
  } finally {
    progress.clear()
  }
}
