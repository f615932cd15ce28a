import { closeSync, openSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../domain/identifier.ts'

export interface TemporaryFile {
  fd: number
  close(): void
}

/** Opens a temporary file and unlinks it at once, so that no other process can open it and a crash leaves no file. */
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

/** Returns false when that fails, as on Windows for an open file. */
function tryUnlink(path: string): boolean {
  try {
    unlinkSync(path)
    return true
  } catch {
    return false
  }
}
