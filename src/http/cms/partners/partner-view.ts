import { readFields, roomOperations, writeFields } from '../../../domain/access/grant.ts'
import type { PartnerWithGrants } from '../../../domain/access/partner.ts'
import { parseExactly } from '../../../domain/exact-json.ts'
import { facilityIdPattern } from '../../../domain/identifier.ts'
import type { PartnerRow } from '../../../storage/cms/partner.ts'
import { Type } from '../../schema.ts'
import { count, flag, nullableText, nullableTime, text } from '../../schema-parts.ts'

export const partnerId = Type.String({ pattern: facilityIdPattern, description: 'Identifier.' })
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

const PartnerRowSchema = Type.Object(
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

export const partnerFields = { ...own, webhooks, contract, grants: Type.Array(Type.Ref('Grant')) }

export const partnerSchemas = { Grant, Partner, PartnerRow: PartnerRowSchema }

export const grantExample = { facilities: ['lyon-01'], read: '*', write: ['name'], rooms: [] }

export const partnerExample = {
  id: 'acme-pms',
  name: 'Acme PMS',
  rate_limit: null,
  webhooks: false,
  contract: null,
  grants: [grantExample],
}

export const partnerRowExample = {
  id: 'acme-pms',
  name: 'Acme PMS',
  rate_limit: null,
  contract: false,
  grants_count: 1,
  tokens_count: 2,
  facilities_count: 1,
  last_used: '2026-11-15T08:30:00.000Z',
  webhooks_failing: 0,
  webhooks_disabled: 0,
}

export function partnerView({ id, name, rateLimit, webhooks, contract, grants }: PartnerWithGrants) {
  return {
    id,
    name,
    rate_limit: rateLimit,
    webhooks,
    contract: contract === null ? null : parseExactly(contract),
    grants,
  }
}

export function partnerRow(row: PartnerRow) {
  return {
    id: row.id,
    name: row.name,
    rate_limit: row.rateLimit,
    contract: row.hasContract,
    grants_count: row.grants,
    tokens_count: row.tokens,
    facilities_count: row.facilities,
    last_used: row.lastUsedAt,
    webhooks_failing: row.webhooksFailing,
    webhooks_disabled: row.webhooksDisabled,
  }
}
