import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programBuild } from '../tools/program.ts'
import { buildStale } from '../tools/stale.ts'
import { type Arguments, help, readArguments } from './arguments.ts'
import { type Measured, measureAll } from './measure/all.ts'
import { atTheEnd, endEverything, endOnSignals, isStopped } from './processes.ts'
import { writePage } from './report/page.ts'
import { commitNow, machineNow, merge, type Run, readReport, withProfiles, writeReport } from './report/report.ts'
import { textTable } from './report/table.ts'
import { stolenShare, ticksNow } from './stolen.ts'

async function main(): Promise<void> {
  const args = readArguments(process.argv.slice(2))
  if (args.help) return console.log(help)
  if (args.draw) return writePage(readReport())
  endOnSignals()
  const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
  atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
  try {
    await buildStale(programBuild)
    await run(args, folder)
  } finally {
    await endEverything()
  }
}

/** Writes results also when a later measurement fails, but not when the run is interrupted. */
async function run(args: Arguments, folder: string): Promise<void> {
  const [commit, began] = [commitNow(), ticksNow()]
  const measured: Measured = { figures: [], profiles: [], versions: {} }
  try {
    await measureAll(args, folder, measured)
  } finally {
    if (measured.figures.length > 0 && !isStopped())
      await publish(args, { commit, stolen: stolenShare(began, ticksNow()) }, measured)
  }
}

async function publish(
  args: Arguments,
  known: Pick<Run, 'commit' | 'stolen'>,
  { figures, profiles, versions }: Measured,
): Promise<void> {
  if (args.scale < 1) return console.log(`\n${textTable(figures)}\n\nAn estate this small is a trial: no report.`)
  const command = ['npm run bench', ...(process.argv.length > 2 ? ['--'] : []), ...process.argv.slice(2)].join(' ')
  const date = new Date().toISOString()
  const about = { date, ...known, command, quick: args.quick, machine: machineNow(versions) }
  const report = withProfiles(merge(readReport(), about, figures), known.commit, profiles)
  writeReport(report)
  await writePage(report)
  console.log(`\n${textTable(figures)}\n`)
  console.log('All figures are in bench/report.json, the page is docs/benchmarks.md.')
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
