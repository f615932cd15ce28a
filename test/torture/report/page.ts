import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Defect } from '../defects.ts'
import { root } from '../plant.ts'
import { clock } from '../progress.ts'
import { type HarnessResult, verdictOf } from '../result.ts'
import type { Report } from './report.ts'
import { rowsOf, rowTitles } from './rows.ts'

export const pageFile = join(root, 'docs/guarantees.md')

export function writePage(report: Report, defects: readonly Defect[]): void {
  writeFileSync(pageFile, pageOf(report, defects))
}

/** The page of guarantees, from one whole run. */
export function pageOf(report: Report, defects: readonly Defect[]): string {
  const { results } = report
  const parts = [
    '# Guarantees',
    'Written by `npm run torture` from `test/torture/report.json`; not by hand. `npm run torture -- --help` shows its options.',
    `What Atrium promises, and what became of each promise when it was put to the test. Each harness first had to catch
bugs planted in copies of the program: one that cannot fail proves nothing. A part of every harness runs inside \`npm test\`.`,
    inShort(results, defects),
    about(report),
    '## The promises',
    table(Object.values(rowTitles), rowsOf(results).map(Object.values)),
    cutShort(results),
    '## Planted bugs',
    table(['harness', 'planted bug', 'caught', 'by what it saw'], plantedRows(results)),
    '## Defects that were found and fixed',
    defects.length === 0
      ? 'None so far.'
      : table(
          ['harness', 'defect', 'what was done'],
          defects.map(({ found, what, fix }) => [found, what, fix]),
        ),
    ...failures(report),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function inShort(results: HarnessResult[], defects: readonly Defect[]): string {
  const verdicts = Map.groupBy(rowsOf(results), ({ promise }) => promise)
  const kept = [...verdicts.values()].filter((rows) => rows.every(({ verdict }) => verdict === 'kept')).length
  const planted = results.flatMap((result) => result.planted)
  const caught = planted.filter((one) => one.caught).length
  return `**${kept} of ${verdicts.size} promises kept. ${caught} of ${planted.length} planted bugs caught.** Defects found on the way and fixed: ${defects.length}.`
}

function about({ date, commit, seed, minutes, seconds, machine }: Report): string {
  const limit = minutes === null ? 'with the whole counts' : 'limited in time'
  const { cores, memoryGigabytes, system, node } = machine
  return `Run on ${date.slice(0, 10)}, ${limit}: it took ${clock(seconds)} (minutes:seconds). Seed ${seed}, commit ${commit}.
Machine: ${cores} cores, ${memoryGigabytes} GB of memory, ${system}, Node ${node}; everything ran on it at once.`
}

function cutShort(results: HarnessResult[]): string {
  const short = results.filter((result) => ['kept so far', 'no time'].includes(verdictOf(result)))
  if (short.length === 0) return ''
  return '"Kept so far": its share of the time was over before its whole count was; the figure says how far it came.'
}

const seenAtMost = 140

/** What was seen can be a whole answer: the raw report has all of it. */
function plantedRows(results: HarnessResult[]): string[][] {
  const cut = (text: string) => (text.length > seenAtMost ? `${text.slice(0, seenAtMost)} …` : text)
  return results.flatMap(({ harness, planted }) =>
    planted.map(({ bug, caught, by }) => [harness, bug, caught ? 'yes' : '**no**', cut(by)]),
  )
}

function failures({ results, seed }: Report): string[] {
  return results.flatMap(({ harness, run }) => {
    if (run === undefined || (run.violations.length === 0 && run.crash === undefined)) return []
    const lines = run.violations.flatMap(({ what, history }) => [what, ...history.map((line) => `  ${line}`)])
    const text = [...lines, ...(run.crash === undefined ? [] : [run.crash])].join('\n')
    return [`## Broken: ${harness}, seed ${seed}`, `\`\`\`text\n${text}\n\`\`\``]
  })
}

function table(titles: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cellOf).join(' | ')} |`
  return [line(titles), `|${'---|'.repeat(titles.length)}`, ...rows.map(line)].join('\n')
}

function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
