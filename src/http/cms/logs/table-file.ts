import type { CmsStream } from '../endpoint.ts'

type TableFormat = 'csv' | 'json'
type Cell = string | number | null

interface TableFile<Row> {
  name: string
  format: TableFormat
  /** The names of the columns in a CSV file, in the same order as the values that `cells` returns. */
  columns: readonly string[]
  cells(row: Row): Cell[]
}

/** Streams rows as a file for download: as CSV (RFC 4180), or as one JSON array. */
export function tableFile<Row>(parts: AsyncIterable<Row[]>, file: TableFile<Row>): CmsStream {
  const { name, format } = file
  const headers = { 'content-disposition': `attachment; filename="${name}.${format}"` }
  return format === 'csv'
    ? { type: 'text/csv; charset=utf-8', stream: asCsv(parts, file), headers }
    : { type: 'application/json; charset=utf-8', stream: asJson(parts), headers }
}

async function* asJson(parts: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let before = '['
  for await (const rows of parts) {
    for (const row of rows) {
      yield `${before}\n${JSON.stringify(row)}`
      before = ','
    }
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

async function* asCsv<Row>(parts: AsyncIterable<Row[]>, { columns, cells }: TableFile<Row>): AsyncGenerator<string> {
  yield csvHead(columns)
  for await (const rows of parts) yield rows.map((row) => `${cells(row).map(csvCell).join()}\r\n`).join('')
}

export function csvHead(columns: readonly string[]): string {
  return `${columns.join()}\r\n`
}

/** Puts an apostrophe before a formula, so that spreadsheets do not evaluate it (CSV injection). */
function csvCell(value: Cell): string {
  const text = String(value ?? '')
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
