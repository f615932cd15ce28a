import { isDeepStrictEqual } from 'node:util'
import { type Backup, BackupFault } from '../domain/backup.ts'
import type { Footer } from './format.ts'
import { checkBackup, readBackup } from './read.ts'
import { saveChecked } from './save.ts'
import { writeBackup } from './write.ts'

export interface SaveOptions {
  writing(part: number): void
  checking(part: number): void
  signal: AbortSignal
}

export interface SavedBackup extends Footer {
  bytes: number
}

/** Writes a backup to a temporary file, which gets its name once it was read back and verified. */
export function saveBackup(path: string, backup: Backup, steps: SaveOptions): Promise<SavedBackup> {
  const { writing, checking, signal } = steps
  return saveChecked(path, {
    write: (target) => writeBackup(backup, target, { progress: writing, signal }),
    check: (partial, written) => assertReadable(partial, backup, written, checking),
  })
}

async function assertReadable(
  path: string,
  { counts }: Backup,
  written: Footer,
  progress: SaveOptions['checking'],
): Promise<Footer> {
  const { rows, sha256 } = await checkBackup(path, progress)
  if (sha256 === written.sha256 && isDeepStrictEqual(rows, written.rows) && isDeepStrictEqual(rows, counts))
    return written
  throw new BackupFault('what was written is not what was read from the database: try again, and check the disk')
}

/** Verifies the whole file before any row is used. Reading the rows then verifies it once more. */
export async function openBackup(path: string, progress: (part: number) => void): Promise<Backup> {
  const { header, rows } = await checkBackup(path, progress)
  return { header, counts: rows, parts: () => readBackup(path, () => {}) }
}
