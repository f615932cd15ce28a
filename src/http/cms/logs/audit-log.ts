import { hasRole, type Operator } from '../../../domain/access/operator.ts'
import {
  type AuditItem,
  auditPages,
  findAudit,
  readAudit,
  undo,
  type WholeEntry,
} from '../../../operations/cms/audit.ts'
import { readFacility } from '../../../operations/cms/facility.ts'
import type { Undone } from '../../../operations/cms/undo/undo-plan.ts'
import { Type } from '../../schema.ts'
import { text } from '../../schema-parts.ts'
import { requireRole } from '../authenticate.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { facilityExample, facilityView } from '../estate/facility-view.ts'
import { operatorView } from '../operators/operator-view.ts'
import { partnerView } from '../partners/partner-view.ts'
import { tokenView } from '../partners/token-view.ts'
import { pageLength } from '../query.ts'
import { type AuditView, auditEntryExample, auditView } from './audit-view.ts'
import { csvHead, tableFile } from './table-file.ts'

const common = { tag: 'Logs' } as const
const undone = ['CmsFacility', 'Partner', 'Token', 'Operator', 'Settings']
const filters = ['actor', 'action', 'facility', 'partner', 'subject', 'since', 'until'] as const
const columns = [
  ...['seq', 'at', 'actor_kind', 'actor', 'token', 'address', 'request_id'],
  ...['action', 'facility', 'partner', 'subject', 'detail'],
]
const page = {
  description: 'A page of entries.',
  schema: Type.Array(Type.Ref('AuditEntry')),
  example: [auditEntryExample],
}

export const listAudit: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path: '/cms/v1/audit',
  operationId: 'listAudit',
  summary: 'List changes',
  description:
    'The newest first. Details about the services of a room are shown to editors and admins only. A page searches at most 10,000 entries: if few of them match, it can be short or empty, and the `Link` header leads to the next.',
  query: [...filters, 'limit', 'cursor'],
  uncounted: true,
  response: page,
  refusals: [],
  handle: async ({ db, operator, query }) => {
    const { limit = pageLength, cursor, ...filter } = query()
    const { items, next } = await findAudit(db, { ...filter, limit, cursor })
    return { body: items.map((item) => auditView(item, operator)), next }
  },
}

export const listHistory: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path: '/cms/v1/facilities/{facilityId}/history',
  operationId: 'listFacilityHistory',
  summary: 'List changes in a facility',
  description: 'The entries of the audit log about one facility, the newest first.',
  query: ['limit', 'cursor'],
  uncounted: true,
  response: page,
  refusals: ['facility_not_found'],
  handle: async ({ db, operator, params, query }) => {
    const { limit = pageLength, cursor } = query()
    const { idExternal: facility } = await readFacility(db, params.facilityId)
    const { items, next } = await findAudit(db, { facility, limit, cursor })
    return { body: items.map((item) => auditView(item, operator)), next }
  },
}

export const getAuditEntry: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path: '/cms/v1/audit/{seq}',
  operationId: 'getAuditEntry',
  summary: 'Get an entry of the audit log',
  description:
    'With all its values, however long; in lists, only the names of values beyond 16,384 characters are shown. `can_undo` takes the current state into account.',
  response: { description: 'The entry.', schema: Type.Ref('AuditEntry'), example: auditEntryExample },
  refusals: ['audit_entry_not_found'],
  handle: async ({ db, operator, params }) => {
    const entry = await readAudit(db, numberOf(params.seq))
    return { body: { ...auditView(entry, operator), undo_refused: undoRefused(entry, operator) } }
  },
}

function undoRefused({ undo, undoRefused }: WholeEntry, { role }: Operator): string | null {
  if (undo !== undefined && !hasRole(role, undo.role)) return `This needs the role ${undo.role}; yours is ${role}.`
  return undoRefused ?? null
}

export const exportAudit: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'GET',
  path: '/cms/v1/audit/export',
  operationId: 'exportAudit',
  summary: 'Export the audit log',
  description: 'All matching entries, the newest first: as CSV, or with `format=json` as one JSON array.',
  query: [...filters, 'table_format'],
  response: {
    description: 'The entries.',
    type: 'text/csv',
    schema: text('One line per entry, after a line with the names of the columns.'),
    example: csvHead(columns),
  },
  refusals: [],
  handle: async ({ db, operator, query }) => {
    const { table_format: format = 'csv', ...filter } = query()
    return tableFile(viewsOf(auditPages(db, filter), operator), { name: 'audit', format, columns, cells })
  },
}

export const postUndo: OperatorEndpoint = {
  ...common,
  role: 'editor',
  method: 'POST',
  path: '/cms/v1/audit/{seq}/undo',
  operationId: 'undoChange',
  summary: 'Undo a change',
  description:
    'For changes of facilities, their rooms and lists, of partners, tokens, operators and settings, as long as nothing has changed them since. It needs the same role as the change, and is itself recorded in the log. The rooms of a restored facility are closed; a restored partner has neither tokens nor webhooks.',
  response: {
    description: 'The restored object as it is now; null if it no longer exists.',
    schema: Type.Union([...undone.map(Type.Ref), Type.Null()]),
    example: facilityExample,
  },
  refusals: [
    'audit_entry_not_found',
    'undo_impossible',
    'undo_overtaken',
    'facility_not_found',
    'partner_not_found',
    'operator_not_found',
    'operator_exists',
    'last_admin',
    'estate_conflict',
  ],
  handle: async ({ db, actor, operator, params }) => ({
    body: undoneView(await undo(db, actor, numberOf(params.seq), (least) => requireRole(operator, least))),
  }),
}

function numberOf(seq: string): number {
  return /^\d{1,15}$/.test(seq) ? Number(seq) : 0
}

function undoneView(undone: Undone): object | null {
  if (undone === undefined) return null
  if ('facility' in undone) return facilityView(undone.facility)
  if ('partner' in undone) return partnerView(undone.partner)
  if ('token' in undone) return tokenView(undone.token, [])
  return 'operator' in undone ? operatorView(undone.operator) : undone.settings
}

async function* viewsOf(parts: AsyncIterable<AuditItem[]>, operator: Operator): AsyncGenerator<AuditView[]> {
  for await (const items of parts) yield items.map((item) => auditView(item, operator))
}

function cells({ actor, detail, can_undo: _undo, ...entry }: AuditView) {
  const { seq, at, request_id, action, facility, partner, subject } = entry
  const by = [actor.kind, actor.name, actor.token, actor.address]
  return [seq, at, ...by, request_id, action, facility, partner, subject, JSON.stringify(detail)]
}
