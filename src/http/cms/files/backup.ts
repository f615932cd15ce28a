import { recordBackup } from '../../../operations/estate/backup.ts'
import { Type } from '../../schema.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { writeInThread } from './database-task.ts'

export const getBackup: OperatorEndpoint = {
  tag: 'Settings',
  role: 'admin',
  method: 'GET',
  path: '/cms/v1/backup',
  operationId: 'getBackup',
  summary: 'Back up the whole database',
  description:
    'A consistent snapshot of everything, data about guests included, in the format of `atrium backup` and `atrium restore`. Its last line holds a SHA-256 of the lines before it: without that line, the file is not complete. The audit log records who took it. The header `X-Total-Count` has the number of rows. A node writes one backup at a time.',
  response: {
    description: 'The backup, lines of JSON in gzip.',
    type: 'application/gzip',
    schema: Type.String({ contentMediaType: 'application/gzip', description: 'Binary.' }),
    example: '…',
  },
  refusals: [],
  handle: async (context) => {
    const { rows, chunks } = await writeInThread({ kind: 'back up' }, context)
    await recordBackup(context.db, context.actor, rows)
    const day = new Date().toISOString().slice(0, 10)
    return {
      type: 'application/gzip',
      stream: chunks,
      headers: { 'content-disposition': `attachment; filename="atrium-${day}.gz"`, 'x-total-count': String(rows) },
    }
  },
}
