import { openSpool, type Spool } from '../../../estate/spool.ts'
import { estateWriter } from '../../../estate/write.ts'
import { exportEstate } from '../../../operations/estate/export-estate.ts'
import { Type } from '../../schema.ts'
import type { CmsContext, OperatorEndpoint } from '../endpoint.ts'

type Format = 'yaml' | 'json'

export const getExport: OperatorEndpoint = {
  tag: 'Facilities',
  role: 'admin',
  method: 'GET',
  path: '/cms/v1/export',
  operationId: 'exportEstate',
  summary: 'Export the estate',
  description:
    'A consistent snapshot in the format of `atrium export` and `atrium apply`: facilities with their areas and lists, partners with their grants. It contains no tokens and no guest data.',
  query: ['estate_format'],
  response: {
    description: 'The estate file.',
    type: 'application/yaml',
    schema: Type.String({ description: 'YAML; JSON with `format=json`.' }),
    example: 'facilities: []\npartners: []\n',
  },
  refusals: [],
  handle: async ({ db, query }) => {
    const { estate_format: format = 'yaml' } = query()
    const headers = { 'content-disposition': `attachment; filename="estate.${format}"` }
    return { type: `application/${format}; charset=utf-8`, stream: chunksOf(await exportToFile(db, format)), headers }
  },
}

/**
 * Writes the export to a temporary file first, so that the read transaction ends before a slow client has received all.
 */
async function exportToFile(db: CmsContext['db'], format: Format): Promise<Spool> {
  const spool = openSpool()
  const add = (text: string) => spool.add(JSON.stringify(text))
  try {
    const writer = estateWriter(format)
    await exportEstate(db, async (items) => {
      for (const item of items) add(writer.add(item))
    })
    add(writer.end())
    return spool
  } catch (error) {
    spool.close()
    throw error
  }
}

async function* chunksOf(spool: Spool): AsyncGenerator<string> {
  try {
    for (const line of spool.lines()) yield JSON.parse(line)
  } finally {
    spool.close()
  }
}
