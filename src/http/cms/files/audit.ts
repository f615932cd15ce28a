import { Type } from '../../schema.ts'
import { count, flag, nullableCount, nullableText } from '../../schema-parts.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { verifyInThread, writeInThread } from './database-task.ts'

export const exportSealedAudit: OperatorEndpoint = {
  tag: 'Logs',
  role: 'admin',
  method: 'GET',
  path: '/cms/v1/audit/sealed',
  operationId: 'exportSealedAudit',
  summary: 'Export the sealed audit log',
  description:
    'The sealed entries with their seals, in the format of `atrium audit export`: a file that `atrium audit verify --file` checks without the database. Its last line says how many entries it has: without that line, the file is not complete. The header `X-Total-Count` has the number of entries, or a larger one.',
  query: ['until_month'],
  response: {
    description: 'The entries, lines of JSON in gzip.',
    type: 'application/gzip',
    schema: Type.String({ contentMediaType: 'application/gzip', description: 'Binary.' }),
    example: '…',
  },
  refusals: [],
  handle: async (context) => {
    const { until_month: until } = context.query()
    const { rows, chunks } = await writeInThread({ kind: 'export audit', until }, context)
    return {
      type: 'application/gzip',
      stream: chunks,
      headers: { 'content-disposition': 'attachment; filename="audit.jsonl.gz"', 'x-total-count': String(rows) },
    }
  },
}

const steps = 1000

export const postAuditVerification: OperatorEndpoint = {
  tag: 'Logs',
  role: 'admin',
  method: 'POST',
  path: '/cms/v1/audit/verify',
  operationId: 'verifyAudit',
  summary: 'Verify the audit log',
  description:
    'Checks every sealed entry against the chain of seals, as `atrium audit verify` does. It stops after 100 faults.',
  query: ['head', 'progress'],
  response: {
    description: 'What was found.',
    schema: Type.Ref('AuditVerification'),
    example: {
      whole: true,
      entries: 1207,
      seals: 12,
      unsealed: 3,
      root: null,
      head: '0f3c2a548f0e4a399a550c1d2b3e4f500f3c2a548f0e4a399a550c1d2b3e4f50',
      faults: [],
    },
  },
  refusals: [],
  handle: async (context) => {
    const { head } = context.query()
    return {
      total: steps,
      run: async (onProgress) => {
        const found = await verifyInThread(head, context, (part) => onProgress(Math.floor(part * steps)))
        return { body: { whole: found.faults.length === 0, ...found } }
      },
    }
  },
}

const AuditFault = Type.Object(
  {
    of: {
      type: 'string',
      enum: ['entry', 'value', 'seal', 'link', 'root', 'head'],
      description:
        'The faulty part: an entry, a long value of an entry, a seal, its link to the seal before, the seal at which the log begins, or the given head.',
    },
    seal: nullableCount('Number of the seal.'),
    entry: nullableCount('Number of the entry.'),
    fault: { type: 'string', enum: ['changed', 'missing', 'added'], description: 'What happened to it.' },
  },
  { $id: 'AuditFault', description: 'A part of the audit log that is not as it was sealed.' },
)

const AuditVerification = Type.Object(
  {
    whole: flag('Whether there is no fault.'),
    entries: count('How many sealed entries there are.'),
    seals: count('How many seals there are.'),
    unsealed: count('How many entries are not sealed yet.'),
    root: nullableText('Hash of the last removed seal, after which the log begins; null if nothing was removed.'),
    head: nullableText('Hash of the last seal. Note it: later verifications can check that it is still there.'),
    faults: Type.Array(Type.Ref('AuditFault'), { description: 'The faults, at most 100.' }),
  },
  { $id: 'AuditVerification', description: 'The result of a verification of the audit log.' },
)

export const verificationSchemas = { AuditFault, AuditVerification }
