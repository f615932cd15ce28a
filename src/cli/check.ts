import { styleText } from 'node:util'
import { checkInstallation, type InstallationCheck, type Report } from '../check/check.ts'
import type { Result } from '../check/examiner.ts'
import { columns, plural, print, printJson } from './output.ts'
import { firstLine } from './standard-input.ts'

export interface CheckOptions extends InstallationCheck {
  json?: boolean
  junit?: boolean
}

/** Prints the report of the conformance check. Returns the exit code: 1 if a rule of the specification is broken. */
export async function runCheck(options: CheckOptions): Promise<number> {
  const token = options.token === '-' ? await firstLine(process.stdin) : options.token
  const report = await checkInstallation({ ...options, token })
  const broken = report.results.filter(({ verdict }) => verdict === 'broken').length
  if (options.json) printJson({ ok: broken === 0, ...report })
  else if (options.junit) print(junit(report))
  else printReport(report, broken)
  return broken === 0 ? 0 : 1
}

const colors = { kept: 'green', broken: 'red', skipped: 'dim' } as const

function printReport({ results, changes, requests }: Report, broken: number): void {
  const rows = results.flatMap(({ verdict, section, rule, detail }) => [
    [verdict, `§${section}`, rule],
    ...(detail === '' ? [] : [['', '', `-> ${detail}`]]),
  ])
  const colored = (word: string) => styleText(colors[word as Result['verdict']], word)
  print(columns(rows).replace(/^(kept|broken|skipped)/gm, colored))
  const skipped = results.filter(({ verdict }) => verdict === 'skipped').length
  print(`\n${plural(requests, 'request')}, ${plural(results.length, 'rule')}: ${broken} broken, ${skipped} skipped.`)
  if (changes.length > 0) print(`\nChanges that were made:\n${changes.map((change) => `  ${change}`).join('\n')}`)
}

function junit({ results }: Report): string {
  const count = (wanted: Result['verdict']) => results.filter(({ verdict }) => verdict === wanted).length
  const cases = results.map(({ section, rule, verdict, detail }) => {
    const tag = { kept: '', broken: `<failure message="${escaped(detail)}"/>`, skipped: `<skipped/>` }[verdict]
    return `  <testcase classname="section ${section}" name="${escaped(rule)}">${tag}</testcase>`
  })
  const counts = `tests="${results.length}" failures="${count('broken')}" skipped="${count('skipped')}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="atrium check" ${counts}>`,
    ...cases,
    '</testsuite>',
  ].join('\n')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] as string)
}
