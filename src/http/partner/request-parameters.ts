import type { RefusalCode } from '../../domain/refusal.ts'
import { parseDateTime } from '../../domain/time.ts'
import { meanings, publicCode } from '../pipeline/errors.ts'
import { parameter, statusFilter } from '../pipeline/query.ts'

const codes = new Set((Object.keys(meanings) as RefusalCode[]).map(publicCode))

const time = (description: string) =>
  parameter({
    description: `${description} An ISO 8601 date-time, without an offset in UTC.`,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '2026-11-15T08:30:00Z',
    rule: 'must be a date-time such as 2026-11-15T08:30:00Z',
    read: (text) => parseDateTime(text, 'start', 'UTC'),
  })

export const requestParameters = {
  request_status: statusFilter('Only responses with this status, or with one of its class, such as `4xx`.'),
  code: parameter({
    description: 'Only refusals with this problem code, and calls on many rooms whose first failed operation has it.',
    schema: { type: 'string', pattern: '^[a-z_]{1,64}$' },
    example: 'not_granted',
    rule: 'must be the code of a problem, such as not_granted',
    read: (text) => (codes.has(text) ? text : undefined),
  }),
  since: time('Only requests from this time on.'),
  until: time('Only requests before this time.'),
  request_id: parameter({
    description: 'Only the request with this `X-Request-Id`.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    example: 'pms-2026-11-15-000417',
    rule: 'must be a request id: 1 to 128 letters, digits, dots, hyphens and underscores',
    read: (text) => (/^[A-Za-z0-9._-]{1,128}$/.test(text) ? text : undefined),
  }),
}
