import type { Config } from '../../config.ts'
import { withInstallation } from '../installation.ts'
import { writeFile } from './write-file.ts'
import { PipeClosed, writeOut } from './write-out.ts'

export interface ExportCommand {
  output?: string
  json: boolean
}

export function runExport(config: Config, options: ExportCommand): Promise<number> {
  const format = options.json ? 'json' : 'yaml'
  return withInstallation(config, async (on) => {
    if (options.output !== undefined) await writeFile(options.output, (write) => on.exportEstate(format, write))
    else await on.exportEstate(format, (text) => writeOut(process.stdout, text)).catch(unlessPipeClosed)
    return 0
  })
}

function unlessPipeClosed(error: unknown): void {
  if (!(error instanceof PipeClosed)) throw error
}
