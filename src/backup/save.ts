import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'

interface Steps<W, T> {
  write(target: Writable): Promise<W>
  /** Throws if the file is not what was written. */
  check(partial: string, written: W): Promise<T>
}

/** Writes to a temporary name, syncs to disk, reads back to verify, and then renames. Only the owner can read it. */
export async function saveChecked<W, T extends object>(
  path: string,
  steps: Steps<W, T>,
): Promise<T & { bytes: number }> {
  const partial = `${path}.${process.pid}.partial`
  try {
    const written = await steps.write(createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }))
    const checked = await steps.check(partial, written)
    const { size: bytes } = await stat(partial)
    await rename(partial, path)
    await syncFolder(dirname(path))
    return { ...checked, bytes }
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Makes a rename in a directory durable. Does nothing on systems that cannot open directories. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
