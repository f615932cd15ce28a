import { hashIn } from '../../../domain/access/token.ts'
import type { Check } from '../../../estate/check.ts'
import { importToken } from '../../../operations/access/token.ts'
import { Type } from '../../schema.ts'
import { dateTime, text } from '../../schema-parts.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { futureTime, members } from '../fields.ts'
import { importedTokenExample } from './token-view.ts'
import { checks, common, fields, missingPartner, one, shown } from './tokens.ts'

const rotationDays = 90
const dayMs = 86_400_000

const sha256: Check<string> = (value, path, report) => {
  const hash = typeof value === 'string' ? hashIn(value) : undefined
  if (hash === undefined) report(path, 'must be a SHA-256 in hexadecimal: 64 characters of 0-9 and a-f')
  return hash as string
}
const importedToken = members({ ...checks, sha256, rotate_by: futureTime }, ['name', 'sha256'])

export const postTokenImport: OperatorEndpoint = {
  ...common,
  method: 'POST',
  path: '/cms/v1/partners/{partnerId}/tokens/import',
  operationId: 'importToken',
  summary: 'Import a token that was issued elsewhere',
  description:
    'An opaque secret of at least 20 characters that the partner uses already keeps working. Only its SHA-256 is sent ' +
    'and stored.',
  body: {
    schema: Type.Object({
      ...fields,
      sha256: text('The SHA-256 of the secret in hexadecimal, such as `sha256sum` prints.'),
      rotate_by: Type.Optional(dateTime(`By when it should be rotated; default: in ${rotationDays} days.`)),
    }),
    example: { name: 'tills', sha256: 'c64e6a64cb738d47f7300e79ffba4a4bb8f6dba68efd626f701bbb9a3bfa88be' },
  },
  response: { ...one, example: importedTokenExample },
  refusals: ['partner_not_found', 'token_exists'],
  handle: async (context) => {
    const given = await context.read(importedToken)
    const { name, sha256: hash, expires_at: expiresAt = null, allowed_ranges: allowedRanges = [] } = given
    const rotateBy = given.rotate_by ?? new Date(Date.now() + rotationDays * dayMs).toISOString()
    const draft = { partner: context.params.partnerId, name, expiresAt, allowedRanges, hash, rotateBy }
    const token = await importToken(context.db, draft, context.actor)
    if (token === undefined) throw missingPartner()
    return { body: await shown(context, token) }
  },
}
