import { open, rename, rm, stat } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { estateWriter } from '../../estate/write.ts'
import { exportEstate } from '../../operations/estate/export-estate.ts'
import type { Db } from '../../storage/database.ts'
import { Failure } from '../failure.ts'
import { withDatabase } from '../with-database.ts'
import { PipeClosed, writeOut } from './write-out.ts'

export interface ExportCommand {
  output?: string
  json: boolean
}

type Write = (text: string) => Promise<unknown>

export function runExport(config: Config, options: ExportCommand): Promise<number> {
  const format = options.json ? 'json' : 'yaml'
  return withDatabase(config, async (db) => {
    if (options.output !== undefined) await writeFile(options.output, (write) => writeEstate(db, format, write))
    else await writeEstate(db, format, (text) => writeOut(process.stdout, text)).catch(unlessPipeClosed)
    return 0
  })
}

async function writeEstate(db: Db, format: 'yaml' | 'json', write: Write): Promise<void> {
  const writer = estateWriter(format)
  await exportEstate(db, async (items) => {
    await write(items.map(writer.add).join(''))
  })
  await write(writer.end())
}

function unlessPipeClosed(error: unknown): void {
  if (!(error instanceof PipeClosed)) throw error
}

/**
 * Writes to a temporary file and renames it when complete: half an estate is a valid file too, and `apply --prune` would
 * remove the rest. Devices and pipes are written directly.
 */
async function writeFile(path: string, work: (write: Write) => Promise<void>): Promise<void> {
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
