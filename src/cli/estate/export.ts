import type { Config } from '../../config.ts'
import { estateWriter } from '../../estate/write.ts'
import { exportEstate } from '../../operations/estate/export-estate.ts'
import type { Db } from '../../storage/database.ts'
import { withDatabase } from '../with-database.ts'
import { type Write, writeFile } from './write-file.ts'
import { PipeClosed, writeOut } from './write-out.ts'

export interface ExportCommand {
  output?: string
  json: boolean
}

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
