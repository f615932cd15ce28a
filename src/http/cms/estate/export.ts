import { exportToFile } from '../../../estate/export.ts'
import { exportEstate } from '../../../operations/estate/export-estate.ts'
import { text } from '../../schema-parts.ts'
import type { OperatorEndpoint } from '../endpoint.ts'

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
    schema: text('YAML; JSON with `format=json`.'),
    example: 'facilities: []\npartners: []\n',
  },
  refusals: [],
  handle: async ({ db, query }) => {
    const { estate_format: format = 'yaml' } = query()
    const headers = { 'content-disposition': `attachment; filename="estate.${format}"` }
    const stream = await exportToFile(format, (receiver) => exportEstate(db, receiver))
    return { type: `application/${format}; charset=utf-8`, stream, headers }
  },
}
