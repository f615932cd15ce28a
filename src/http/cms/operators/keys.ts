import { createKey, findKeys, revokeKey, rotateKey } from '../../../operations/access/operator-key.ts'
import { Type } from '../../schema.ts'
import { nullableTime, text } from '../../schema-parts.ts'
import type { CmsContext, OperatorEndpoint } from '../endpoint.ts'
import { addressRanges, expiry, graceSeconds, members, shortText } from '../fields.ts'
import { issuedKeyExample, keyExample, keyView } from './operator-view.ts'

const common = { tag: 'Operators', role: 'viewer' } as const

function ownerFilter({ operator }: CmsContext): string | undefined {
  return operator.role === 'admin' ? undefined : operator.id
}

export const listKeys: OperatorEndpoint = {
  ...common,
  method: 'GET',
  path: '/cms/v1/keys',
  operationId: 'listKeys',
  summary: 'List operator keys',
  description: 'Your own keys; an administrator sees those of all operators.',
  response: { description: 'The keys.', schema: Type.Array(Type.Ref('Key')), example: [keyExample] },
  refusals: [],
  handle: async (context) => ({ body: (await findKeys(context.db, ownerFilter(context))).map(keyView) }),
}

const newKey = members({ name: shortText(100), expires_at: expiry, allowed_ranges: addressRanges }, ['name'])

export const postKey: OperatorEndpoint = {
  ...common,
  method: 'POST',
  path: '/cms/v1/keys',
  operationId: 'createKey',
  summary: 'Create an operator key',
  description: 'It has your role, also when that changes. The secret is shown only in this response.',
  body: {
    schema: Type.Object({
      name: text('Purpose of the key.'),
      expires_at: Type.Optional(nullableTime('When it expires; null for never.')),
      allowed_ranges: Type.Optional(Type.Array(Type.String(), { description: 'Address ranges.' })),
    }),
    example: { name: 'nightly import', expires_at: null, allowed_ranges: ['10.0.0.0/8'] },
  },
  response: { description: 'The key.', schema: Type.Ref('IssuedKey'), example: issuedKeyExample },
  refusals: [],
  handle: async ({ db, actor, operator, read }) => {
    const { name, expires_at: expiresAt = null, allowed_ranges: allowedRanges = [] } = await read(newKey)
    const { key, secret } = await createKey(db, actor, { operator: operator.id, name, expiresAt, allowedRanges })
    return { body: { key: keyView(key), secret } }
  },
}

const rotation = members({ grace_seconds: graceSeconds })
const weekSeconds = 7 * 86_400

export const postKeyRotation: OperatorEndpoint = {
  ...common,
  method: 'POST',
  path: '/cms/v1/keys/{keyId}/rotate',
  operationId: 'rotateKey',
  summary: 'Replace a key',
  description: 'The old key continues to work for `grace_seconds`; default: a week.',
  body: {
    schema: Type.Object({
      grace_seconds: Type.Optional(Type.Integer({ description: 'Seconds; 0 revokes it at once.' })),
    }),
    example: { grace_seconds: weekSeconds },
  },
  response: { description: 'The new key.', schema: Type.Ref('IssuedKey'), example: issuedKeyExample },
  refusals: ['key_not_found', 'token_revoked'],
  handle: async (context) => {
    const { grace_seconds: grace = weekSeconds } = await context.read(rotation)
    const { key, secret } = await rotateKey(
      context.db,
      context.actor,
      context.params.keyId,
      ownerFilter(context),
      grace,
    )
    return { body: { key: keyView(key), secret } }
  },
}

export const deleteKey: OperatorEndpoint = {
  ...common,
  method: 'DELETE',
  path: '/cms/v1/keys/{keyId}',
  operationId: 'revokeKey',
  summary: 'Revoke a key',
  description: 'Takes effect at once, on every node.',
  response: { description: 'The key as it is now.', schema: Type.Ref('Key'), example: keyExample },
  refusals: ['key_not_found'],
  handle: async (context) => ({
    body: keyView(await revokeKey(context.db, context.actor, context.params.keyId, ownerFilter(context))),
  }),
}
