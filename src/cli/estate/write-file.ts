import { open, rename, rm, stat } from 'node:fs/promises'
import { writingFailure } from './file-failure.ts'

export type Write = (text: string) => Promise<unknown>

/**
 * Writes to a temporary file and renames it when complete. An estate file that was cut off could still be valid, and
 * applying it with `--prune` would delete all that is missing from it. Devices and pipes cannot be renamed and are
 * written directly.
 */
export async function writeFile(path: string, work: (write: Write) => Promise<void>): Promise<void> {
  const isSpecial = await stat(path).then(
    (found) => !found.isFile(),
    () => false,
  )
  const target = isSpecial ? path : `${path}.${process.pid}.partial`
  try {
    await using file = await open(target, 'w')
    await work((text) => file.appendFile(text))
    if (!isSpecial) await file.sync()
    if (!isSpecial) await rename(target, path)
  } catch (error) {
    if (!isSpecial) await rm(target, { force: true })
    throw writingFailure(path, error)
  }
}
