import { type AuditAction, auditActions } from '../../../domain/audit/audit.ts'
import { parseDateTime } from '../../../domain/time.ts'
import { parameter, statusFilter } from '../../pipeline/query.ts'

const textFilter = (description: string, example: string) =>
  parameter({
    description,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example,
    rule: 'must be 1 to 255 characters',
    read: (text) => (text !== '' && text.length <= 255 && !text.includes('\0') ? text : undefined),
  })

const timeFilter = (description: string) =>
  parameter({
    description,
    schema: { type: 'string', format: 'date-time' },
    example: '2026-11-15T08:30:00Z',
    rule: 'must be a date-time such as 2026-11-15T08:30:00Z',
    read: (text) => parseDateTime(text, 'start', 'UTC'),
  })

const actions = Object.keys(auditActions) as AuditAction[]
const maxMinutes = 360
const monthPattern = '^\\d{4}-(?:0[1-9]|1[0-2])$'

export const logParameters = {
  partner: textFilter('Only entries about this partner.', 'acme-pms'),
  facility: textFilter('Only entries about this facility.', 'lyon-01'),
  route: textFilter('Only this route, in the notation of the log.', '/v1/facilities/:facilityExternalId'),
  method: textFilter('Only this method.', 'GET'),
  request_id: textFilter('Only the request with this id.', '3f1c2a54-8f0e-4a39-9a55-0c1d2b3e4f50'),
  actor: textFilter('Only changes made by this partner (id) or this operator (e-mail address).', 'ada@example.com'),
  subject: textFilter('Only changes of this room (full id) or this token.', 'lyon-01-101'),
  answer_status: statusFilter('Only this status, or its whole class, such as `4xx`.'),
  action: parameter({
    description: 'Only this action.',
    schema: { type: 'string', enum: actions },
    example: 'facility.change',
    rule: `must be one of ${actions.join(', ')}`,
    read: (text) => actions.find((action) => action === text),
  }),
  estate_format: parameter({
    name: 'format',
    description: 'Format of the file; default: `yaml`.',
    schema: { type: 'string', enum: ['yaml', 'json'] },
    example: 'yaml',
    rule: 'must be yaml or json',
    read: (text) => (text === 'yaml' || text === 'json' ? text : undefined),
  }),
  table_format: parameter({
    name: 'format',
    description: 'Format of the file; default: `csv`.',
    schema: { type: 'string', enum: ['csv', 'json'] },
    example: 'csv',
    rule: 'must be csv or json',
    read: (text) => (text === 'csv' || text === 'json' ? text : undefined),
  }),
  since: timeFilter('Only entries from this time on.'),
  until: timeFilter('Only entries before this time.'),
  until_month: parameter({
    name: 'until',
    description: 'The last month; default: everything that is sealed.',
    schema: { type: 'string', pattern: monthPattern },
    example: '2026-01',
    rule: 'must be a month such as 2026-01',
    read: (text) => (new RegExp(monthPattern).test(text) ? text : undefined),
  }),
  head: parameter({
    description: 'A `head` that an earlier verification returned: the chain must still contain it.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    example: '0f3c2a548f0e4a399a550c1d2b3e4f500f3c2a548f0e4a399a550c1d2b3e4f50',
    rule: 'must be 64 hexadecimal digits',
    read: (text) => (/^[0-9a-f]{64}$/.test(text) ? text : undefined),
  }),
  minutes: parameter({
    description: 'Time range in minutes; default: 60.',
    schema: { type: 'integer', minimum: 1, maximum: maxMinutes },
    example: 60,
    rule: `must be a whole number from 1 to ${maxMinutes}`,
    read: (text) => minutesIn(/^\d{1,4}$/.test(text) ? Number(text) : 0),
  }),
}

function minutesIn(minutes: number): number | undefined {
  return minutes >= 1 && minutes <= maxMinutes ? minutes : undefined
}
