/** `line` is where the record begins, from 1. */
export interface CsvRow {
  line: number
  fields: string[]
}

/**
 * Parses CSV (RFC 4180) as spreadsheets write it: with any line break, a byte order mark, and semicolons or tabs in
 * place of commas, whichever is first in the first line. Never throws: text after a closing quote is part of the field.
 */
export function parseCsv(text: string): CsvRow[] {
  const source = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(source)
  const field = new RegExp(`"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*)`, 'y')
  const isEnd = (character: string) => character === separator || character === '\r' || character === '\n'
  const rows: CsvRow[] = []
  let row: CsvRow = { line: 1, fields: [] }
  let line = 1
  for (let at = 0; at <= source.length; at++) {
    field.lastIndex = at
    const [whole = '', quoted, plain = ''] = field.exec(source) ?? []
    let value = quoted === undefined ? plain : quoted.replaceAll('""', '"')
    line += (whole.match(/\n/g) ?? []).length
    at += whole.length
    while (at < source.length && !isEnd(source[at] as string)) value += source[at++]
    row.fields.push(value.trim())
    if (source[at] === separator) continue
    if (row.fields.some((one) => one !== '')) rows.push(row)
    if (source.startsWith('\r\n', at)) at++
    line++
    row = { line, fields: [] }
  }
  return rows
}

/** Returns the first comma, semicolon or tab outside of quotes. */
function separatorOf(source: string): string {
  return /^(?:"[^"]*"|[^",;\t\r\n])*([,;\t])/.exec(source.trimStart())?.[1] ?? ','
}
