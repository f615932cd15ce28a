import type { Figure } from '../figure.ts'
import { type Row, rowOf, rowTitles } from './rows.ts'

/** Formats columns for a terminal. */
export function textTable(figures: Figure[]): string {
  const rows = [rowTitles, ...figures.map(rowOf)]
  const keys = Object.keys(rowTitles) as (keyof Row)[]
  const widths = keys.map((key) => Math.max(...rows.map((row) => row[key].length)))
  const lines = rows.map((row) =>
    keys
      .map((key, index) => row[key].padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const rule = '─'.repeat(Math.max(...lines.map((line) => line.length)))
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}
