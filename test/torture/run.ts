// npm run torture: every promise in full size, and the page of guarantees.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { programBuild } from '../../tools/program.ts'
import { buildStale } from '../../tools/stale.ts'
import { testServer } from '../harness/postgres-server.ts'
import { runAll } from './all.ts'
import { type Arguments, help, readArguments } from './arguments.ts'
import { explain } from './as-test.ts'
import { defects } from './defects.ts'
import { harnesses } from './harnesses.ts'
import { showProgress } from './progress.ts'
import { writePage } from './report/page.ts'
import { commitNow, machineNow, readReport, writeReport } from './report/report.ts'
import { rowsOf, textTable } from './report/rows.ts'
import { type HarnessResult, isFailure } from './result.ts'
import { openSavedResults } from './saved-results.ts'

const interruption = new AbortController()
let interruptedBy: NodeJS.Signals | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (interruptedBy !== undefined) process.exit(128 + constants.signals[signal])
    interruptedBy = signal
    console.error('\nStopping: waits for what is running to end. Once more stops at once.')
    interruption.abort()
  })
}

try {
  process.exitCode = await main(readArguments(process.argv.slice(2), harnesses))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function main(args: Arguments): Promise<number> {
  if (args.help) console.log(help)
  else if (args.draw) draw()
  else return torture(args)
  return 0
}

function draw(): void {
  const report = readReport()
  if (report === undefined) throw new Error('There is no report yet: run `npm run torture`')
  writePage(report, defects)
}

async function torture(args: Arguments): Promise<number> {
  const { seed, minutes, whole } = args
  const beginMs = performance.now()
  const saved = openSavedResults(seed, commitNow())
  console.error(`seed ${seed}${saved.results.size > 0 ? ', continuing where it stopped' : ''}`)
  const results = await withGround(() =>
    runAll({
      chosen: args.chosen,
      seed,
      endsAtMs: beginMs + (minutes ?? Infinity) * 60_000,
      last: readReport()?.results ?? [],
      saved,
      progress: showProgress(),
      interrupted: interruption.signal,
    }),
  )
  const hasFailed = results.some(isFailure)
  if (interruptedBy === undefined && !hasFailed) saved.delete()
  tell(results, seed, whole)
  if (interruptedBy !== undefined) {
    console.log(`\nInterrupted. Go on with --seed ${seed}`)
    return 128 + constants.signals[interruptedBy]
  }
  if (whole) {
    const seconds = saved.seconds + (performance.now() - beginMs) / 1000
    const commit = saved.commits.join(', then ')
    const about = { date: new Date().toISOString(), commit, seed, minutes: minutes ?? null, seconds }
    const report = { ...about, machine: machineNow(), results }
    writeReport(report)
    writePage(report, defects)
    console.log('\nThe page is docs/guarantees.md, the raw report test/torture/report.json.')
  }
  if (hasFailed) console.log(`\nWith --seed ${seed} what failed is done again.`)
  return hasFailed ? 1 : 0
}

function tell(results: HarnessResult[], seed: number, whole: boolean): void {
  const rows = rowsOf(results).filter(({ harness }) => whole || harness !== '')
  console.log(`\n${textTable(rows)}`)
  for (const { harness, run, planted } of results) {
    for (const { bug } of planted.filter(({ caught }) => !caught)) {
      console.log(`\n${harness} did not catch the planted bug "${bug}"; again: --only ${harness} --seed ${seed}`)
    }
    if (run === undefined || (run.violations.length === 0 && run.crash === undefined)) continue
    console.log(`\n${harness}, seed ${seed}; again: npm run torture -- --only ${harness} --seed ${seed}`)
    console.log(run.crash ?? explain(run))
  }
}

/** Starts a PostgreSQL and creates a temporary folder for the whole run; removes both at the end. */
async function withGround<T>(work: () => Promise<T>): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), 'atrium-torture-'))
  // Servers that run as another user must be able to enter it.
  chmodSync(scratch, 0o711)
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
  await buildStale(programBuild)
  const postgres = await testServer()
  process.env.ATRIUM_TEST_POSTGRES = postgres.url
  process.env.TMPDIR = scratch
  try {
    return await work()
  } finally {
    await postgres.stop()
  }
}
