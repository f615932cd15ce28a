import { stat } from 'node:fs/promises'
import { type SavedBackup, type SaveOptions, saveBackup } from '../../backup/file.ts'
import { checkBackup } from '../../backup/read.ts'
import { saveChecked } from '../../backup/save.ts'
import type { Config, RemoteConfig } from '../../config.ts'
import type { BackupHeader } from '../../domain/backup.ts'
import { backUp } from '../../operations/estate/backup.ts'
import type { Db } from '../../storage/database.ts'
import { Failure } from '../failure.ts'
import { print, printJson } from '../output.ts'
import { progressBar } from '../progress.ts'
import { untilInterrupted } from '../until-interrupted.ts'
import { withExistingDatabase } from '../with-database.ts'
import { formatRowCounts } from './backup-words.ts'
import { writingFailure } from './file-failure.ts'

export interface BackupCommand {
  force: boolean
  json: boolean
}

export async function runBackup(config: Config, file: string, options: BackupCommand): Promise<number> {
  const startMs = performance.now()
  await assertFree(file, options.force)
  const { header, rows, sha256, bytes } = await (config.remote === null
    ? withExistingDatabase(config, (db) => saveDatabase(db, file))
    : saveRemotely(config.remote, file))
  const seconds = Math.round(performance.now() - startMs) / 1000
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

type Saved = SavedBackup & { header: BackupHeader }

export function saveDatabase(db: Db, file: string): Promise<Saved> {
  return withProgress(file, (steps) =>
    backUp(db, async (backup) => ({ header: backup.header, ...(await saveBackup(file, backup, steps)) })),
  )
}

async function saveRemotely(remote: RemoteConfig, file: string): Promise<Saved> {
  const { download } = await import('../remote/download.ts')
  return withProgress(file, ({ writing, checking, signal }) =>
    saveChecked(file, {
      write: (target) => download(remote, '/cms/v1/backup', target, { receiving: writing, signal }),
      check: (partial) => checkBackup(partial, checking),
    }),
  )
}

export async function withProgress<T>(file: string, save: (steps: SaveOptions) => Promise<T>): Promise<T> {
  const progress = progressBar()
  const steps = {
    writing: (part: number) => progress.show('Writing ', part),
    checking: (part: number) => progress.show('Checking', part),
  }
  try {
    return await untilInterrupted((signal) => save({ ...steps, signal }))
  } catch (error) {
    throw writingFailure(file, error)
  } finally {
    progress.clear()
  }
}
