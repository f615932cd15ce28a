import type { Token } from '../../../domain/access/token.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { changeToken, createToken, findTokens, revokeToken, rotateToken } from '../../../operations/access/token.ts'
import { Type } from '../../schema.ts'
import { nullableTime, text } from '../../schema-parts.ts'
import type { CmsContext, OperatorEndpoint } from '../endpoint.ts'
import { addressRanges, expiry, graceSeconds, members, shortText } from '../fields.ts'
import { issuedTokenExample, tokenExample, tokenView } from './token-view.ts'

export const common = { tag: 'Partners', role: 'admin' } as const
export const one = { description: 'The token as it is now.', schema: Type.Ref('Token'), example: tokenExample }
const issued = { description: 'The token.', schema: Type.Ref('IssuedToken'), example: issuedTokenExample }
const path = '/cms/v1/tokens/{tokenId}'

async function tokensOf({ db }: CmsContext, partner: string): Promise<Token[]> {
  const tokens = await findTokens(db, partner)
  if (tokens === undefined) throw missingPartner()
  return tokens
}

export function missingPartner(): Refusal {
  return new Refusal('partner_not_found', 'There is no partner with this id.')
}

export const shown = async (context: CmsContext, token: Token) =>
  tokenView(token, await tokensOf(context, token.partner))

function tokenOrRefusal<T extends object>(outcome: T | 'unknown' | 'revoked' | undefined): T {
  if (outcome === undefined || outcome === 'unknown') {
    throw new Refusal('token_not_found', 'There is no token with this id.')
  }
  if (outcome !== 'revoked') return outcome
  throw new Refusal('token_revoked', 'This token is revoked, which cannot be undone: create a new one.')
}

export const listTokens: OperatorEndpoint = {
  ...common,
  method: 'GET',
  path: '/cms/v1/partners/{partnerId}/tokens',
  operationId: 'listTokens',
  summary: "List a partner's tokens",
  description: 'The oldest first. Secrets are not stored and cannot be shown.',
  response: { description: 'The tokens.', schema: Type.Array(Type.Ref('Token')), example: [tokenExample] },
  refusals: ['partner_not_found'],
  handle: async (context) => {
    const tokens = await tokensOf(context, context.params.partnerId)
    return { body: tokens.map((token) => tokenView(token, tokens)) }
  },
}

export const listAllTokens: OperatorEndpoint = {
  ...common,
  method: 'GET',
  path: '/cms/v1/tokens',
  operationId: 'listAllTokens',
  summary: 'List the tokens of all partners',
  description: 'By partner, the oldest first. Secrets are not stored and cannot be shown.',
  response: { description: 'The tokens.', schema: Type.Array(Type.Ref('Token')), example: [tokenExample] },
  refusals: [],
  handle: async ({ db }) => {
    const tokens = (await findTokens(db)) ?? []
    return { body: tokens.map((token) => tokenView(token, tokens)) }
  },
}

export const checks = { name: shortText(100), expires_at: expiry, allowed_ranges: addressRanges }
const newToken = members(checks, ['name'])
const tokenChange = members(checks)

export const fields = {
  name: text('Purpose of the token.'),
  expires_at: Type.Optional(nullableTime('When it expires; null for never.')),
  allowed_ranges: Type.Optional(Type.Array(Type.String(), { description: 'Address ranges; empty for all.' })),
}

export const postToken: OperatorEndpoint = {
  ...common,
  method: 'POST',
  path: '/cms/v1/partners/{partnerId}/tokens',
  operationId: 'createToken',
  summary: 'Create a token',
  description: 'The secret is shown only in this response.',
  body: { schema: Type.Object(fields), example: { name: 'production', allowed_ranges: ['203.0.113.0/24'] } },
  response: issued,
  refusals: ['partner_not_found'],
  handle: async (context) => {
    const { name, expires_at: expiresAt = null, allowed_ranges: allowedRanges = [] } = await context.read(newToken)
    const order = { partner: context.params.partnerId, name, expiresAt, allowedRanges }
    const made = await createToken(context.db, order, context.actor)
    if (made === undefined) throw missingPartner()
    return { body: { token: await shown(context, made.token), secret: made.secret } }
  },
}

export const patchToken: OperatorEndpoint = {
  ...common,
  method: 'PATCH',
  path,
  operationId: 'changeToken',
  summary: 'Change a token',
  description: 'Its name, its expiry or the addresses from which it is accepted.',
  body: { schema: Type.Partial(Type.Object(fields)), example: { name: 'production, Lyon' } },
  response: one,
  refusals: ['token_not_found', 'token_revoked', 'partner_not_found'],
  handle: async (context) => {
    const { name, expires_at: expiresAt, allowed_ranges: allowedRanges } = await context.read(tokenChange)
    const change = {
      ...(name !== undefined && { name }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(allowedRanges !== undefined && { allowedRanges }),
    }
    const token = tokenOrRefusal(await changeToken(context.db, context.params.tokenId, change, context.actor))
    return { body: await shown(context, token) }
  },
}

const rotation = members({
  grace_seconds: graceSeconds,
  expires_at: expiry,
})
const weekSeconds = 7 * 86_400

export const postTokenRotation: OperatorEndpoint = {
  ...common,
  method: 'POST',
  path: `${path}/rotate`,
  operationId: 'rotateToken',
  summary: 'Replace a token',
  description: 'The old token continues to work for `grace_seconds`; default: a week.',
  body: {
    schema: Type.Object({
      grace_seconds: Type.Optional(Type.Integer({ description: 'Seconds; 0 revokes it at once.' })),
      expires_at: fields.expires_at,
    }),
    example: { grace_seconds: weekSeconds },
  },
  response: issued,
  refusals: ['token_not_found', 'token_revoked', 'partner_not_found'],
  handle: async (context) => {
    const { grace_seconds: grace = weekSeconds, expires_at: expiresAt } = await context.read(rotation)
    const order = { graceSeconds: grace, ...(expiresAt !== undefined && { expiresAt }) }
    const { token, secret } = tokenOrRefusal(
      await rotateToken(context.db, context.params.tokenId, order, context.actor),
    )
    return { body: { token: await shown(context, token), secret } }
  },
}

export const deleteToken: OperatorEndpoint = {
  ...common,
  method: 'DELETE',
  path,
  operationId: 'revokeToken',
  summary: 'Revoke a token',
  description: 'Takes effect at once, on every node.',
  response: one,
  refusals: ['token_not_found', 'partner_not_found'],
  handle: async (context) => {
    const token = tokenOrRefusal(await revokeToken(context.db, context.params.tokenId, context.actor))
    return { body: await shown(context, token) }
  },
}
