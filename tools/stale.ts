import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One of the things that `npm run build` builds. */
export interface Build {
  isCurrent(): boolean
  run(): Promise<void>
  /** What to say if the packages that it needs are not installed. */
  advice?: string
}

/** Builds what is not current. A production install has no build tools and serves what is there. */
export async function buildStale(...builds: Build[]): Promise<void> {
  for (const { isCurrent, run, advice } of builds) {
    if (isCurrent()) continue
    await run().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
      if (advice !== undefined) console.log(advice)
    })
  }
}

/** Returns the hash of the names and contents of all files that match. */
export function sourcesHash(root: string, ...patterns: string[]): string {
  const hash = createHash('sha256')
  for (const file of globSync(patterns, { cwd: root }).sort())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

export function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
