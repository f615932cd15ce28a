import { type CsvRow, parseCsv } from '../../../domain/csv.ts'
import { parseExactly } from '../../../domain/exact-json.ts'
import { Refusal, refusalAt } from '../../../domain/refusal.ts'
import { areasCheck } from '../../../estate/check-facility.ts'
import { mapInChunks } from '../../../operations/chunks.ts'
import { type ImportLine, type ImportRow, importAreas } from '../../../operations/cms/import-areas.ts'
import { Type } from '../../schema.ts'
import { count, nullableText, text } from '../../schema-parts.ts'
import type { CmsContext, CmsLongTask, OperatorEndpoint } from '../endpoint.ts'

const maxRows = 20_000

export const postAreaImport: OperatorEndpoint = {
  tag: 'Areas',
  role: 'editor',
  method: 'POST',
  path: '/cms/v1/facilities/{facilityId}/areas/import',
  operationId: 'importAreas',
  summary: 'Import areas from CSV',
  description:
    'The first line names the columns: `id`, `name` and, optionally, `data_general` (JSON). Commas, semicolons or tabs separate fields, whichever the first line uses; a field that contains the separator must be quoted. A row with more fields than columns is an error. With `dry_run=true` the response says, row by row, what would happen, and nothing changes. All rows are imported or none.',
  query: ['dry_run', 'progress'],
  body: {
    type: 'text/csv',
    schema: text('The file, in UTF-8.'),
    example: 'id,name\n101,Room 101\n102,Room 102\n',
  },
  response: {
    description: 'What happened, or would happen, to each row.',
    schema: Type.Object({
      created: count('Rows that add an area.'),
      updated: count('Rows that change an area.'),
      unchanged: count('Rows that change nothing.'),
      errors: count('Rows with an error.'),
      rows: Type.Array(
        Type.Object({
          line: count('The line of the file.'),
          id: text('Short id.'),
          name: Type.Optional(text('Name.')),
          action: text('`create`, `update`, `unchanged` or `error`.'),
          changes: Type.Array(Type.Object({}, { additionalProperties: true })),
          error: nullableText('What is wrong with the row.'),
        }),
      ),
    }),
    example: {
      created: 1,
      updated: 0,
      unchanged: 0,
      errors: 0,
      rows: [{ line: 2, id: '101', name: 'Room 101', action: 'create', changes: [], error: null }],
    },
  },
  refusals: ['facility_not_found', 'body_invalid', 'limit_exceeded', 'estate_conflict'],
  handle: async (context) => {
    const { dry_run: dryRun = false } = context.query()
    const lines = await linesOf(context, parseCsv(await context.text('text/csv')))
    const run: CmsLongTask['run'] = async (onProgress) => {
      const rows = await importAreas(context.db, context.actor, context.params.facilityId, lines, dryRun, onProgress)
      return { body: bodyOf(rows) }
    }
    return { run, total: lines.length }
  },
}

function bodyOf(rows: ImportRow[]) {
  const counted = (action: string) => rows.filter((row) => row.action === action).length
  const [created, updated, unchanged] = ['create', 'update', 'unchanged'].map(counted)
  return { created, updated, unchanged, errors: counted('error'), rows }
}

const known = ['id', 'name', 'data_general']

async function linesOf(context: CmsContext, [heading, ...rows]: CsvRow[]): Promise<ImportLine[]> {
  const columns = heading?.fields.map((name) => name.toLowerCase()) ?? []
  const unknown = columns.find((name, index) => !known.includes(name) || columns.indexOf(name) !== index)
  if (!columns.includes('id') || unknown !== undefined) {
    throw refusalAt(
      'body_invalid',
      '/1',
      `The first line must name the columns: "id", and optionally "name" and "data_general", each at most once.`,
    )
  }
  if (rows.length > maxRows) throw new Refusal('limit_exceeded', `A file can have at most ${maxRows} rows.`)
  const seen = new Set<string>()
  return mapInChunks(rows, ({ line, fields }) => {
    const values = Object.fromEntries(columns.map((name, index) => [name, fields[index] ?? '']))
    const read = lineOf(context, line, values, surplusFault(columns, fields))
    const repeated = seen.has(read.area.id)
    seen.add(read.area.id)
    return repeated
      ? { ...read, error: read.error ?? `the id ${read.area.id} is in the file twice: remove one of the rows` }
      : read
  })
}

/** Parses one row. An empty cell leaves that property of the area unchanged. */
function lineOf(
  { config }: CmsContext,
  line: number,
  { id = '', name, data_general: notes }: Record<string, string>,
  faults: string[],
) {
  const given = { id, ...(name && { name }), ...(notes && { data_general: json(notes, faults) }) }
  const [area = { id }] = areasCheck(config.limits)([given], [], ([, key], message) =>
    faults.push(`${key ?? 'row'} ${message}`),
  )
  return { line, area, error: faults[0] }
}

/** Reports a row with more fields than columns: probably a separator in a field is not quoted. */
function surplusFault({ length }: string[], fields: string[]): string[] {
  if (fields.slice(length).every((text) => text === '')) return []
  return [
    `the row has ${fields.length} fields and the first line names ${length}; quote fields that contain a separator`,
  ]
}

function json(text: string, faults: string[]): unknown {
  try {
    return parseExactly(text)
  } catch {
    faults.push('data_general must be JSON')
    return []
  }
}
