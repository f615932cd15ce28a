import { closeSync, openSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../domain/identifier.ts'

export interface TemporaryFile {
  fd: number
  close(): void
}

/** A file that only this process can reach: where the system allows it, its name is gone before anything is in it. */
export function openTemporaryFile(): TemporaryFile {
  const path = join(tmpdir(), `atrium-${newId()}`)
  const fd = openSync(path, 'wx+', 0o600)
  const named = !tryUnlink(path)
  return {
    fd,
    close: () => {
      closeSync(fd)
      if (named) tryUnlink(path)
    },
  }
}

/** Windows keeps the name of a file that is open. */
function tryUnlink(path: string): boolean {
  try {
    unlinkSync(path)
    return true
  } catch {
    return false
  }
}
