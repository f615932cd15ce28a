import { Type } from '../../schema.ts'
import { dateTime, flag, nullableText, text } from '../schema-parts.ts'

const LoggedRequest = Type.Object(
  {
    seq: Type.Integer({ description: 'Number of the entry; there are gaps.' }),
    at: dateTime('Time of the response.'),
    partner: nullableText('The partner; null if the token was not recognized.'),
    token: nullableText('Public id of the token.'),
    method: text('HTTP method.'),
    route: nullableText('Pattern of the route; null for an unknown path.'),
    facility: nullableText(
      'The facility of the request, if it exists; with `facility_not_granted` or `facility_not_found` also an id that no facility has.',
    ),
    facility_exists: {
      type: ['boolean', 'null'],
      description: 'Whether a facility with this id exists.',
    },
    area: nullableText(
      'Full id of the area of the request, if it exists; with `area_not_found` also an id that no area has, and then `facility` is null.',
    ),
    status: Type.Integer({ description: 'HTTP status of the response.' }),
    code: nullableText(
      'Problem code of a refusal; `/problems/{code}` explains it. For a call on many rooms, of the first operation that failed.',
    ),
    detail: nullableText('Text of the refusal, unless it quotes the body.'),
    duration_ms: Type.Number({ description: 'Duration in milliseconds.' }),
    request_id: text('Its `X-Request-Id`.'),
    address: nullableText('IP address of the caller.'),
  },
  { $id: 'LoggedRequest', description: 'A request of a partner, without body, query and token.' },
)

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
    detail: {
      type: ['object', 'null'],
      description: 'Values before and after, as far as they are stored; null if the role does not permit to see them.',
    },
    can_undo: flag(
      'Whether this operator can undo it. In lists, only properties of facilities are compared with the current state.',
    ),
    undo_refused: Type.Optional(nullableText('Only in the response for a single entry: why it cannot be undone.')),
  },
  { $id: 'AuditEntry', description: 'A change; its entry is written in the same transaction.' },
)

export const logSchemas = { LoggedRequest, AuditEntry }
