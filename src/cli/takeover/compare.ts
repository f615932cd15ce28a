import { Comparer, type Comparison, type FoundDifference } from '../../takeover/compare.ts'
import { RemoteFailure } from '../../takeover/remote-failure.ts'
import { PipeClosed, writeOut } from '../estate/write-out.ts'
import { Failure } from '../failure.ts'
import { escapeControls, plural, print, printJson } from '../output.ts'
import { untilInterrupted } from '../until-interrupted.ts'
import { connect } from './connect.ts'
import { noteLines } from './note-lines.ts'
import type { RemoteFlags } from './options.ts'
import { longProgress } from './progress.ts'
import { readTokens } from './read-tokens.ts'

export interface CompareCommand extends RemoteFlags {
  a: string
  b: string
  strict?: boolean
  rooms?: boolean
  timezone?: string
  ignore?: string[]
  json?: boolean
}

export async function runCompare(options: CompareCommand): Promise<number> {
  const lines = await readTokens(process.stdin, 2)
  const result = await untilInterrupted((signal) => compare(lines, options, signal), 'the comparison is incomplete')
  const { facilities, responses, differences, tolerated } = result
  if (options.json) {
    printJson({ ok: differences === 0, facilities, responses, differences, tolerated: tolerated.list() })
  } else printSummary(result)
  return differences === 0 ? 0 : 1
}

async function compare(lines: string[][], options: CompareCommand, signal: AbortSignal): Promise<Comparison> {
  const a = connect(
    options.a,
    lines.map(([token]) => token as string),
    options,
    signal,
  )
  const b = connect(
    options.b,
    lines.map(([token, own = token]) => own as string),
    options,
    signal,
  )
  const pairs = a.map((remote, index) => ({ a: remote, b: b[index] as (typeof b)[number] }))
  const progress = longProgress()
  const { strict = false, rooms = false, json = false, timezone, ignore = [] } = options
  const comparer = new Comparer(
    { strict, rooms, timezone, ignore },
    {
      difference: async (found) => {
        progress.clear()
        await writeOut(process.stdout, `${json ? JSON.stringify(found) : differenceLine(found)}\n`)
      },
      progress: (done, total) => progress.show(`Compared ${done} of ${total} facilities`, done / total),
    },
  )
  try {
    return await comparer.compare(pairs)
  } catch (error) {
    if (error instanceof PipeClosed) return comparer.result
    throw error instanceof RemoteFailure ? new Failure(escapeControls(error.message)) : error
  } finally {
    progress.clear()
  }
}

const maxValueLength = 80

function differenceLine({ token, path, field, what, ...values }: FoundDifference): string {
  const shown = 'a' in values ? `${preview(values.a)} | ${preview(values.b)}` : what
  return escapeControls([token, path, ...(field.length > 0 ? [field.join('.')] : []), shown].join('  '))
}

function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength - 1)}…` : text
}

function printSummary({ facilities, responses, differences, tolerated }: Comparison): void {
  const notes = tolerated.list()
  if (notes.length > 0) print('Tolerated; --strict counts them:')
  for (const line of noteLines(notes)) print(`  ${line}`)
  const found = differences === 0 ? 'no differences' : plural(differences, 'difference')
  print(`${plural(responses, 'response')} of ${plural(facilities, 'facility', 'facilities')} compared: ${found}`)
}
