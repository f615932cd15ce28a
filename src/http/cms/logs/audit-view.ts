import { hasRole, type Operator } from '../../../domain/access/operator.ts'
import type { AuditItem } from '../../../operations/cms/audit.ts'
import { Type } from '../../schema.ts'
import { dateTime, flag, nullableText, text } from '../../schema-parts.ts'

const AuditEntry = Type.Object(
  {
    seq: Type.Integer({ description: 'Number of the entry; there are gaps.' }),
    at: dateTime('Time of the change.'),
    actor: Type.Object(
      {
        kind: { type: 'string', enum: ['partner', 'operator', 'service'], description: 'Kind of actor.' },
        name: text('Id of the partner, e-mail address of the operator, or name of the tool.'),
        token: nullableText('Public id of the token or key.'),
        address: nullableText('IP address.'),
      },
      { description: 'Who made the change.' },
    ),
    request_id: nullableText('Id of the request.'),
    action: text('Kind of change.'),
    facility: nullableText('The changed facility, or that of the changed object.'),
    partner: nullableText('The partner that the change is about.'),
    subject: nullableText('Full id of the room, or id of the token, key or operator.'),
    subject_name: nullableText(
      'Name of the token or key, URL of the webhook, or e-mail address of the operator, as it is now; null for a room, and if the subject no longer exists.',
    ),
    detail: {
      type: ['object', 'null'],
      description:
        'Values before and after, as far as they are stored; for an undo, `undoes` is the number of the entry that it reverted. Null if the role does not permit to see them.',
    },
    can_undo: flag(
      'Whether this operator can undo it. In lists, only properties of facilities are compared with the current state.',
    ),
    undo_refused: Type.Optional(nullableText('Only in the response for a single entry: why it cannot be undone.')),
  },
  { $id: 'AuditEntry', description: 'A change; its entry is written in the same transaction.' },
)

export const auditSchemas = { AuditEntry }

export const auditEntryExample = {
  seq: 1207,
  at: '2026-11-15T08:30:00.000Z',
  actor: { kind: 'partner', name: 'acme-pms', token: '4fT0aZ9q', address: '192.0.2.10' },
  request_id: '3f1c2a54-8f0e-4a39-9a55-0c1d2b3e4f50',
  action: 'facility.change',
  facility: 'lyon-01',
  partner: null,
  subject: null,
  subject_name: null,
  detail: { property: 'ssid_public', before: 'Bellecour', after: 'Bellecour Guest' },
  can_undo: true,
}

export type AuditView = ReturnType<typeof auditView>

export function auditView(item: AuditItem, { role }: Operator) {
  const { actor_kind: kind, actor: name, token, address, request_id, undo, ...entry } = item
  const hidesDetail = entry.action.startsWith('services.') && !hasRole(role, 'editor')
  return {
    seq: entry.seq,
    at: entry.at,
    actor: { kind, name, token, address },
    request_id,
    action: entry.action,
    facility: entry.facility,
    partner: entry.partner,
    subject: entry.subject,
    subject_name: entry.subjectName,
    detail: hidesDetail ? null : entry.detail,
    can_undo: undo !== undefined && hasRole(role, undo.role),
  }
}
