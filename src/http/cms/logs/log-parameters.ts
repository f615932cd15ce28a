import { type AuditAction, auditActions } from '../../../domain/audit/audit.ts'
import { parseDateTime } from '../../../domain/time.ts'
import { parameter } from '../parameter.ts'

const oneOf = (description: string, example: string) =>
  parameter({
    description,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example,
    rule: 'must be 1 to 255 characters',
    read: (text) => (text !== '' && text.length <= 255 && !text.includes('\0') ? text : undefined),
  })

const moment = (description: string) =>
  parameter({
    description,
    schema: { type: 'string', format: 'date-time' },
    example: '2026-11-15T08:30:00Z',
    rule: 'must be a date-time such as 2026-11-15T08:30:00Z',
    read: (text) => parseDateTime(text, 'start', 'UTC'),
  })

const actions = Object.keys(auditActions) as AuditAction[]
const minutesAtMost = 360

/** The parameters of the two logs and of the figures. */
export const logParameters = {
  partner: oneOf('Only what is about this partner.', 'acme-pms'),
  facility: oneOf('Only what happened in this facility.', 'lyon-01'),
  route: oneOf('Only this route, as the log names it.', '/v1/facilities/:facilityExternalId'),
  method: oneOf('Only this method.', 'GET'),
  request_id: oneOf('Only the request with this id.', '3f1c2a54-8f0e-4a39-9a55-0c1d2b3e4f50'),
  actor: oneOf('Only what this partner or this operator did: an id or an e-mail address.', 'ada@example.com'),
  subject: oneOf('Only what was done to this room, by its full id, or to this token.', 'lyon-01-101'),
  answer_status: parameter({
    name: 'status',
    description: 'Only this status, or with `xx` all of its hundred.',
    schema: { type: 'string', pattern: '^[1-5](?:\\d\\d|xx)$' },
    example: '4xx',
    rule: 'must be a status such as 403 or 4xx',
    read: (text) => (/^[1-5](?:\d\d|xx)$/.test(text) ? text : undefined),
  }),
  action: parameter({
    description: 'Only this action.',
    schema: { type: 'string', enum: actions },
    example: 'facility.change',
    rule: `must be one of ${actions.join(', ')}`,
    read: (text) => actions.find((action) => action === text),
  }),
  estate_format: parameter({
    name: 'format',
    description: 'How it is written; `yaml` without it.',
    schema: { type: 'string', enum: ['yaml', 'json'] },
    example: 'yaml',
    rule: 'must be yaml or json',
    read: (text) => (text === 'yaml' || text === 'json' ? text : undefined),
  }),
  table_format: parameter({
    name: 'format',
    description: 'How it is written; `csv` without it.',
    schema: { type: 'string', enum: ['csv', 'json'] },
    example: 'csv',
    rule: 'must be csv or json',
    read: (text) => (text === 'csv' || text === 'json' ? text : undefined),
  }),
  since: moment('Only from this moment on.'),
  until: moment('Only before this moment.'),
  minutes: parameter({
    description: 'How many minutes the figures go back; 60 without it.',
    schema: { type: 'integer', minimum: 1, maximum: minutesAtMost },
    example: 60,
    rule: `must be a whole number from 1 to ${minutesAtMost}`,
    read: (text) => minutesIn(/^\d{1,4}$/.test(text) ? Number(text) : 0),
  }),
}

function minutesIn(minutes: number): number | undefined {
  return minutes >= 1 && minutes <= minutesAtMost ? minutes : undefined
}
