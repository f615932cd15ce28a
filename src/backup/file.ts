import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Backup, BackupFault } from '../domain/backup.ts'
import type { Footer } from './format.ts'
import { checkBackup, readBackup } from './read.ts'
import { writeBackup } from './write.ts'

export interface SaveOptions {
  writing(part: number): void
  checking(part: number): void
  signal: AbortSignal
}

export interface SavedBackup extends Footer {
  bytes: number
}

/**
 * Writes a backup to a temporary file, syncs it to disk, reads it back to verify it, and only then renames it to
 * `path`.
 */
export async function saveBackup(path: string, backup: Backup, steps: SaveOptions): Promise<SavedBackup> {
  const partial = `${path}.${process.pid}.partial`
  const { writing, checking, signal } = steps
  try {
    const target = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
    const written = await writeBackup(backup, target, { progress: writing, signal })
    await assertReadable(partial, backup, written, checking)
    const { size: bytes } = await stat(partial)
    await rename(partial, path)
    await syncFolder(dirname(path))
    return { ...written, bytes }
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function assertReadable(path: string, { counts }: Backup, written: Footer, progress: SaveOptions['checking']) {
  const { rows, sha256 } = await checkBackup(path, progress)
  if (sha256 === written.sha256 && isDeepStrictEqual(rows, written.rows) && isDeepStrictEqual(rows, counts)) return
  throw new BackupFault('what was written is not what was read from the database: try again, and check the disk')
}

/**
 * Syncs a directory to disk, which makes a rename in it durable. Does nothing on systems that cannot open directories.
 */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

/** Verifies a backup file and opens it. Its rows are verified again while they are read. */
export async function openBackup(path: string, progress: (part: number) => void): Promise<Backup> {
  const { header, rows } = await checkBackup(path, progress)
  return { header, counts: rows, parts: () => readBackup(path, () => {}) }
}
