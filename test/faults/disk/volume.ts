import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small disk of its own, in memory. */
export interface Volume {
  folder: string
  /** Takes all space that is left. */
  fill(): void
  free(): void
  remove(): void
}

const size = '64m'

/** Whether this machine lets us have one: it takes root's rights. */
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
      // Lazily: what a killed process still held there goes with it.
      spawnSync('umount', ['-l', folder])
      rmdirSync(folder)
    },
  }
}

/** In ever smaller pieces, to the last one that fits. */
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
