import { readFields, roomOperations, writeFields } from '../../../domain/access/grant.ts'
import { facilityIdPattern } from '../../../domain/identifier.ts'
import { Type } from '../../schema.ts'
import { count, dateTime, flag, nullableText, nullableTime, text } from '../schema-parts.ts'

const partnerId = Type.String({ pattern: facilityIdPattern, description: 'Identifier.' })
const names = (known: readonly string[], description: string) =>
  Type.Union([Type.Literal('*'), Type.Array({ type: 'string', enum: [...known] })], {
    description,
  })

const Grant = Type.Object(
  {
    facilities: Type.Union([Type.Literal('*'), Type.Array(Type.String())], {
      description: 'External ids, or `*` for every facility, those to come included.',
    }),
    read: names(readFields, 'Fields that can be read.'),
    write: names(writeFields, 'Fields that can be changed.'),
    rooms: names(roomOperations, 'What can be done with rooms.'),
  },
  { $id: 'Grant', description: 'What a partner may do on some facilities. Several on one facility add up.' },
)

const own = {
  name: text('What it is called.'),
  rate_limit: nullableText('Like `100/s burst 1000`, or `off`; null for the limit of the installation.'),
}

const webhooks = flag('Whether it may keep its own webhooks.')

const contract = {
  type: ['object', 'boolean', 'null'],
  description: 'A JSON Schema (2020-12) that each of its subscriptions must satisfy.',
}

const Partner = Type.Object(
  { id: partnerId, ...own, webhooks, contract, grants: Type.Array(Type.Ref('Grant')) },
  { $id: 'Partner', description: 'A partner with its rights.' },
)

const PartnerRow = Type.Object(
  {
    id: partnerId,
    ...own,
    contract: flag('Whether it has one.'),
    grants_count: count('Its grants.'),
    tokens_count: count('Tokens that work now.'),
    facilities_count: {
      type: ['integer', 'null'],
      description: 'Facilities that grants name; null when a grant covers all.',
    },
    last_used: nullableTime('When one of its tokens was last used, to the minute.'),
    webhooks_failing: count('Webhooks that fail.'),
    webhooks_disabled: count('Webhooks that are switched off.'),
  },
  { $id: 'PartnerRow', description: 'A partner in the list.' },
)

const Token = Type.Object(
  {
    id: text('The public part.'),
    partner: partnerId,
    name: text('What it is for.'),
    date_created: dateTime('When it was made.'),
    expires_at: nullableTime('When it ends; null for never.'),
    revoked_at: nullableTime('When it was ended.'),
    last_used: nullableTime('When it was last used, to the minute.'),
    allowed_ranges: Type.Array(Type.String(), { description: 'Address ranges it is accepted from; empty for all.' }),
    successor: nullableText('The token that replaced it.'),
    predecessor: nullableText('The token that it replaced.'),
    safe_to_revoke: flag('Whether it was replaced, its successor is in use, and it was not used for a day.'),
    state: {
      type: 'string',
      enum: ['active', 'expiring', 'expired', 'revoked'],
      description: '`expiring` within two weeks.',
    },
  },
  { $id: 'Token', description: 'A token of a partner, without its secret.' },
)

const IssuedToken = Type.Object(
  { token: Type.Ref('Token'), secret: text('The token itself. It is shown this once.') },
  { $id: 'IssuedToken', description: 'A new token.' },
)

export const partnerFields = { ...own, webhooks, contract, grants: Type.Array(Type.Ref('Grant')) }
export const partnerIdField = { id: partnerId }

export const partnerSchemas = { Grant, Partner, PartnerRow, Token, IssuedToken }
