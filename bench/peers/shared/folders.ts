import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchEstate } from '../../estate/shape.ts'

const root = join(import.meta.dirname, '..', '..', '.cache', 'peers')

/** Folder of a peer's installation and data. */
export function peerFolder(name: string): string {
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Folder of a peer's sources in the project. */
export function sourceFolder(name: string): string {
  return join(import.meta.dirname, '..', name)
}

/**
 * Returns a fresh copy of a peer's data, which is generated once per scale and version of the generating code.
 * `make` receives an empty folder and closes everything that it opens.
 */
export async function freshData(
  name: string,
  estate: BenchEstate,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = peerFolder(name)
  const kept = join(folder, `data-${estate.scale}-${fingerprint(name)}`)
  if (!existsSync(kept)) {
    for (const old of readdirSync(folder)) {
      if (old.startsWith(`data-${estate.scale}-`)) rmSync(join(folder, old), { recursive: true })
    }
    const made = join(folder, 'data-in-the-making')
    rmSync(made, { recursive: true, force: true })
    mkdirSync(made)
    await make(made)
    renameSync(made, kept)
  }
  const run = join(folder, 'run')
  rmSync(run, { recursive: true, force: true })
  cpSync(kept, run, { recursive: true })
  return run
}

function fingerprint(name: string): string {
  const hash = createHash('sha256')
  const folders = [sourceFolder(name.split('-')[0] ?? name), join(import.meta.dirname, '..', '..', 'estate')]
  for (const folder of folders) {
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (file.isFile()) hash.update(readFileSync(join(file.parentPath, file.name)))
    }
  }
  return hash.digest('hex').slice(0, 12)
}
