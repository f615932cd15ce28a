import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small file system in memory. */
export interface Volume {
  folder: string
  /** Fills the volume. */
  fill(): void
  free(): void
  remove(): void
}

const size = '64m'

/** Whether this machine allows mounting one, which needs root. */
export function canMount(): boolean {
  try {
    mountVolume().remove()
    return true
  } catch {
    return false
  }
}

export function mountVolume(): Volume {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0777`, 'atrium-test', folder], { stdio: 'pipe' })
  } catch (error) {
    rmdirSync(folder)
    throw error
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill: () => fillWith(ballast),
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      // Unmounts lazily, because a killed process may still have open files.
      spawnSync('umount', ['-l', folder])
      rmdirSync(folder)
    },
  }
}

/** Writes ever smaller pieces, until not even one byte fits. */
function fillWith(path: string): void {
  const file = openSync(path, 'a')
  for (let bytes = 2 ** 20; bytes >= 4096; bytes /= 4) {
    const piece = Buffer.alloc(bytes)
    try {
      while (writeSync(file, piece) === bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
}
