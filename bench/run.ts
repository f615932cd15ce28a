import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packWhenStale } from '../tools/program.ts'
import { type Arguments, help, readArguments } from './arguments.ts'
import type { Figure } from './figure.ts'
import { measureAll } from './measure/all.ts'
import { atTheEnd, endEverything, endOnSignals } from './processes.ts'
import type { Profile } from './profile.ts'
import { writePage } from './report/page.ts'
import { commitNow, machineNow, merge, readReport, withProfiles, writeReport } from './report/report.ts'
import { textTable } from './report/table.ts'

async function main(): Promise<void> {
  const args = readArguments(process.argv.slice(2))
  if (args.help) return console.log(help)
  if (args.draw) return writePage(readReport())
  endOnSignals()
  const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
  atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
  try {
    await packWhenStale()
    await run(args, folder)
  } finally {
    await endEverything()
  }
}

async function run(args: Arguments, folder: string): Promise<void> {
  const figures: Figure[] = []
  const profiles: Profile[] = []
  const versions = await measureAll(args, folder, {
    add: (figure) => figures.push(figure),
    addProfiles: (more) => profiles.push(...more),
  })
  if (args.scale < 1) return console.log(`\n${textTable(figures)}\n\nAn estate this small is a trial: no report.`)
  const command = ['npm run bench', ...(process.argv.length > 2 ? ['--'] : []), ...process.argv.slice(2)].join(' ')
  const date = new Date().toISOString()
  const about = { date, commit: commitNow(), command, quick: args.quick, machine: machineNow(versions) }
  const report = withProfiles(merge(readReport(), about, figures), commitNow(), profiles)
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
