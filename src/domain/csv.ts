/** One line of a CSV file: the number of the line it begins on, and its fields. */
export interface CsvRow {
  line: number
  fields: string[]
}

const field = /"((?:[^"]|"")*)"|([^",;\t\r\n]*)/y

/**
 * RFC 4180, and what spreadsheets make of it: commas, semicolons or tabs between fields, any line break, a byte order
 * mark. Nothing is refused: what stands behind a closing quote belongs to the field.
 */
export function parseCsv(text: string): CsvRow[] {
  const source = text.replace(/^\uFEFF/, '')
  const rows: CsvRow[] = []
  let row: CsvRow = { line: 1, fields: [] }
  let line = 1
  for (let at = 0; at <= source.length; at++) {
    field.lastIndex = at
    const [whole = '', quoted, plain = ''] = field.exec(source) ?? []
    let value = quoted === undefined ? plain : quoted.replaceAll('""', '"')
    line += (whole.match(/\n/g) ?? []).length
    at += whole.length
    while (at < source.length && !/[,;\t\r\n]/.test(source[at] as string)) value += source[at++]
    row.fields.push(value.trim())
    if (at < source.length && /[,;\t]/.test(source[at] as string)) continue
    if (row.fields.some((one) => one !== '')) rows.push(row)
    if (source.startsWith('\r\n', at)) at++
    line++
    row = { line, fields: [] }
  }
  return rows
}
