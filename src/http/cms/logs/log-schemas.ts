import { Type } from '../../schema.ts'
import { dateTime, flag, nullableText, text } from '../schema-parts.ts'

const LoggedRequest = Type.Object(
  {
    seq: Type.Integer({ description: 'Number of the entry; there are gaps.' }),
    at: dateTime('When it was answered.'),
    partner: nullableText('Whose it was; null where the token was not recognised.'),
    token: nullableText('The public part of the token.'),
    method: text('The method.'),
    route: nullableText('The pattern of the route; null where the path has none.'),
    facility: nullableText(
      'The facility it was about, where there is such a one; of a `facility_not_granted` or `facility_not_found` also an id that no facility has.',
    ),
    facility_exists: {
      type: ['boolean', 'null'],
      description: 'Whether a facility has this id; false says that the partner asked for one that does not exist.',
    },
    area: nullableText(
      'The area it was about, by its full id, where there is such a one; of an `area_not_found` also an id that no area has, and then `facility` is null.',
    ),
    status: Type.Integer({ description: 'The status of the answer.' }),
    code: nullableText('Why it was refused; `/problems/{code}` explains it.'),
    detail: nullableText('The words of the refusal, unless they speak of a body.'),
    duration_ms: Type.Number({ description: 'How long it took.' }),
    request_id: text('Its `X-Request-Id`.'),
    address: nullableText('Where it came from.'),
  },
  { $id: 'LoggedRequest', description: 'A request of a partner: neither body, nor query, nor secret.' },
)

const AuditEntry = Type.Object(
  {
    seq: Type.Integer({ description: 'Number of the entry; there are gaps.' }),
    at: dateTime('When it was done.'),
    actor: Type.Object(
      {
        kind: { type: 'string', enum: ['partner', 'operator', 'service'], description: 'What they are.' },
        name: text('The id of the partner, the e-mail address of the operator, or what they used.'),
        token: nullableText('The public part of the token or key.'),
        address: nullableText('Where they came from.'),
      },
      { description: 'Who did it.' },
    ),
    request_id: nullableText('The request it was done with.'),
    action: text('What was done.'),
    facility: nullableText('The facility it was done to, or in.'),
    partner: nullableText('The partner whose rights it is about.'),
    subject: nullableText('The full id of the room, or the id of the token, key or operator.'),
    detail: {
      type: ['object', 'null'],
      description: 'Before and after, as far as it is kept; null where the role does not let it be seen.',
    },
    can_undo: flag(
      'Whether it can be put back by this operator: nothing has changed it since. In a list only properties of facilities are held against what there is now.',
    ),
    undo_refused: Type.Optional(
      nullableText('Only of an entry that is asked for by itself: why it cannot be put back.'),
    ),
  },
  { $id: 'AuditEntry', description: 'A change, written down in its own transaction.' },
)

export const logSchemas = { LoggedRequest, AuditEntry }
