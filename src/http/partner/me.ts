import { represent } from '../../domain/representation.ts'
import { readMe } from '../../operations/access/me.ts'
import { Type } from '../schema.ts'
import type { Endpoint } from './endpoint.ts'
import * as examples from './examples.ts'

export const getMe: Endpoint = {
  method: 'GET',
  path: '/v1/me',
  operationId: 'getMe',
  tag: 'Token',
  summary: 'Get the permissions of this token',
  description: 'The partner, the token, the combined grants per facility, the contract and the rate limit.',
  needs: 'none',
  query: [],
  response: { description: 'The permissions of the token.', schema: Type.Ref('Me'), example: examples.me, etag: true },
  refusals: [],
  handle: async (context) => {
    const { json, etag } = represent(
      await readMe(context.db, context.token, context.rateLimit, () => void context.query()),
    )
    return { body: json, etag }
  },
}
