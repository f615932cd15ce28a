import { open, rename, rm, stat } from 'node:fs/promises'
import { Failure } from '../failure.ts'

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
    const { code, syscall, message } = error as NodeJS.ErrnoException
    throw code !== undefined && syscall !== undefined ? new Failure(`cannot write ${path}: ${message}`) : error
  }
}
