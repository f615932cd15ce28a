import { figuresText, many } from '../progress.ts'
import { promises } from '../promises.ts'
import { type HarnessResult, type RunResult, verdictOf } from '../result.ts'

export interface Row {
  promise: string
  harness: string
  figure: string
  target: string
  verdict: string
}

export const rowTitles: Row = {
  promise: 'promise',
  harness: 'harness',
  figure: 'done and counted',
  target: 'required',
  verdict: 'verdict',
}

/** Returns a row for each promise and harness that tests it; a promise without one is "not tested". */
export function rowsOf(results: HarnessResult[]): Row[] {
  return promises.flatMap(({ number, promise, target }) => {
    const title = `${number}. ${promise}`
    const testing = results.filter((result) => result.promises.includes(number))
    if (testing.length === 0) return [{ promise: title, harness: '', figure: '', target, verdict: 'not tested' }]
    return testing.map((result) => ({
      promise: title,
      harness: result.harness,
      figure: result.run === undefined ? '' : figureOf(result.run, result.unit),
      target: result.target,
      verdict: verdictOf(result),
    }))
  })
}

function figureOf({ done, count, figures }: RunResult, unit: string): string {
  const amount = done < count ? `${many(done)} of ${many(count)}` : many(done)
  const rest = Object.entries(figures).filter(([name]) => name !== unit)
  return [`${amount} ${unit}`, figuresText(Object.fromEntries(rest))].filter(Boolean).join('; ')
}

/** Aligns the columns for a terminal. */
export function textTable(rows: Row[]): string {
  const keys = Object.keys(rowTitles) as (keyof Row)[]
  const widths = keys.map((key) => Math.max(...[rowTitles, ...rows].map((row) => row[key].length)))
  const lines = [rowTitles, ...rows].map((row) =>
    keys
      .map((key, index) => row[key].padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [lines[0], '─'.repeat(Math.max(...lines.map((line) => line.length))), ...lines.slice(1)].join('\n')
}
