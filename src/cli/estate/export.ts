import type { Config } from '../../config.ts'
import { withInstallation } from '../installation.ts'
import { type Write, writeFile } from './write-file.ts'
import { toStandardOutput } from './write-out.ts'

export interface ExportCommand {
  output?: string
  json: boolean
}

export function runExport(config: Config, options: ExportCommand): Promise<number> {
  const format = options.json ? 'json' : 'yaml'
  return withInstallation(config, async (on) => {
    const write = (out: Write) => on.exportEstate(format, out)
    await (options.output === undefined ? toStandardOutput(write) : writeFile(options.output, write))
    return 0
  })
}
