import type { Config, Limits } from '../../config.ts'
import { EstateFaults, maxFaults } from '../../domain/estate.ts'
import type { EstateTally } from '../../domain/estate-difference.ts'
import { openSpool, type Spool } from '../../estate/spool.ts'
import { type ApplyObserver, type ApplyOptions, applyEstate } from '../../operations/estate/apply-estate.ts'
import type { Db } from '../../storage/database.ts'
import { migrate } from '../../storage/migrate.ts'
import { escapeControls, plural, print, printJson } from '../output.ts'
import { type Progress, progressBar } from '../progress.ts'
import { withOpenDatabase } from '../with-database.ts'
import { withEstateFile } from './estate-file.ts'
import { differenceLine, summaryLine } from './estate-lines.ts'
import { toStandardOutput } from './write-out.ts'

export interface ApplyCommand extends ApplyOptions {
  json: boolean
}

export async function runApply(config: Config, file: string, options: ApplyCommand): Promise<number> {
  const startMs = performance.now()
  const lines = openSpool()
  const progress = progressBar()
  try {
    const tally = await apply(config, file, options, lines, progress)
    progress.clear()
    const seconds = Math.round(performance.now() - startMs) / 1000
    if (options.json) {
      const differences = options.dryRun ? { differences: [...lines.lines()] } : {}
      printJson({ dry_run: options.dryRun, changes: tally, ...differences, seconds })
    } else {
      if (options.dryRun || lines.count <= maxLinesShown) await printLines(lines)
      print(summaryLine(tally, options.dryRun, seconds))
    }
    return 0
  } catch (error) {
    progress.clear()
    if (!(error instanceof EstateFaults)) throw error
    printFaults(file, error)
    return 1
  } finally {
    lines.close()
  }
}

/** Reads all of the estate file first: if it has faults, the database is not opened. */
async function apply(config: Config, file: string, options: ApplyOptions, lines: Spool, progress: Progress) {
  const { remote } = config
  if (remote !== null) {
    const { applyRemotely } = await import('../remote/apply.ts')
    return applyRemotely(remote, file, options, lines, progress)
  }
  const reading = (part: number) => progress.show('Reading ', part)
  return withEstateFile(file, config.limits, reading, (estate) =>
    withOpenDatabase(config, async (db) => {
      await migrate(db)
      return applyEstate(db, estate, options, observer(lines, progress, estate.itemCount))
    }),
  )
}

/** Writes differences to the file `lines`, as none may be printed before the commit. A retry clears the file. */
function observer(lines: Spool, progress: Progress, itemCount: number): ApplyObserver {
  let done = 0
  return {
    begin: () => {
      lines.clear()
      done = 0
    },
    difference: (difference) => lines.add(differenceLine(difference)),
    itemDone: () => progress.show('Applying', ++done / itemCount),
  }
}

/** The maximum number of differences that are printed without --dry-run: those that fit on a screen. */
const maxLinesShown = 20
const blockLength = 65_536

function printLines(lines: Spool): Promise<void> {
  return toStandardOutput(async (write) => {
    let block = ''
    for (const line of lines.lines()) {
      block += `${line}\n`
      if (block.length < blockLength) continue
      await write(block)
      block = ''
    }
    await write(block)
  })
}

function printFaults(file: string, { faults }: EstateFaults): void {
  const name = file === '-' ? 'standard input' : file
  for (const { line, message } of faults) {
    process.stderr.write(`${name}${line === undefined ? '' : `:${line}`}: ${escapeControls(message)}\n`)
  }
  const limit = faults.length >= maxFaults ? `, and perhaps more: only the first ${maxFaults} are shown` : ''
  process.stderr.write(`Nothing was changed: the file has ${plural(faults.length, 'error')}${limit}\n`)
}

export function applyEstateFile(db: Db, file: string, limits: Limits): Promise<EstateTally> {
  const silent = { begin: () => {}, difference: () => {}, itemDone: () => {} }
  return withEstateFile(
    file,
    limits,
    () => {},
    (estate) => applyEstate(db, estate, { dryRun: false, prune: false }, silent),
  )
}
