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
      description: 'External ids, or `*` for all facilities, future ones included.',
    }),
    read: names(readFields, 'Fields that can be read.'),
    write: names(writeFields, 'Fields that can be changed.'),
    rooms: names(roomOperations, 'Operations on rooms.'),
  },
  {
    $id: 'Grant',
    description: 'Permissions of a partner on some facilities. Several grants for one facility are combined.',
  },
)

const own = {
  name: text('Displayed name.'),
  rate_limit: nullableText('For example `100/s burst 1000`, or `off`; null for the limit of the installation.'),
}

const webhooks = flag('Whether the partner may manage its own webhooks.')

const contract = {
  type: ['object', 'boolean', 'null'],
  description: 'A JSON Schema (2020-12) that each subscription of the partner must satisfy.',
}

const Partner = Type.Object(
  { id: partnerId, ...own, webhooks, contract, grants: Type.Array(Type.Ref('Grant')) },
  { $id: 'Partner', description: 'A partner with its grants.' },
)

const PartnerRow = Type.Object(
  {
    id: partnerId,
    ...own,
    contract: flag('Whether the partner has a contract.'),
    grants_count: count('Number of grants.'),
    tokens_count: count('Number of active tokens.'),
    facilities_count: {
      type: ['integer', 'null'],
      description: 'Number of facilities named by grants; null when a grant covers all.',
    },
    last_used: nullableTime('When a token of the partner was last used, to the minute.'),
    webhooks_failing: count('Number of failing webhooks.'),
    webhooks_disabled: count('Number of disabled webhooks.'),
  },
  { $id: 'PartnerRow', description: 'A partner in the list.' },
)

const Token = Type.Object(
  {
    id: text('Public id.'),
    partner: partnerId,
    name: text('Purpose of the token.'),
    date_created: dateTime('When it was created.'),
    expires_at: nullableTime('When it expires; null for never.'),
    revoked_at: nullableTime('When it was revoked.'),
    last_used: nullableTime('When it was last used, to the minute.'),
    allowed_ranges: Type.Array(Type.String(), {
      description: 'Address ranges from which it is accepted; empty for all.',
    }),
    successor: nullableText('The token that replaced it.'),
    predecessor: nullableText('The token that it replaced.'),
    safe_to_revoke: flag('Whether it was replaced, its successor is in use, and it was not used for a day.'),
    state: {
      type: 'string',
      enum: ['active', 'expiring', 'expired', 'revoked'],
      description: '`expiring` in the last two weeks.',
    },
    imported: flag('Whether it was issued elsewhere and imported.'),
    rotate_by: nullableTime('By when an imported token should be rotated; null for a token that Atrium issued.'),
  },
  { $id: 'Token', description: 'A token of a partner, without its secret.' },
)

const IssuedToken = Type.Object(
  { token: Type.Ref('Token'), secret: text('The token itself, shown only in this response.') },
  { $id: 'IssuedToken', description: 'A new token.' },
)

export const partnerFields = { ...own, webhooks, contract, grants: Type.Array(Type.Ref('Grant')) }
export const partnerIdField = { id: partnerId }

export const partnerSchemas = { Grant, Partner, PartnerRow, Token, IssuedToken }
