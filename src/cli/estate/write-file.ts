import { open, rename, rm, stat } from 'node:fs/promises'
import { writingFailure } from './file-failure.ts'

export type Write = (text: string) => Promise<unknown>

/**
 * Writes to a temporary file and renames it when it is complete. A cut-off estate file must not be left: applied with
 * `--prune`, it would delete everything that it lacks.
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
