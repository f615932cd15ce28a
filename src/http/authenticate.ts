import type { FastifyRequest } from 'fastify'
import type { Caller } from '../domain/partner.ts'
import { parseRateLimit, type RateLimit } from '../domain/rate-limit.ts'
import { Refusal } from '../domain/refusal.ts'
import { authenticate } from '../operations/authenticate.ts'
import type { Db } from '../storage/database.ts'

const bearer = /^Bearer +(\S+) *$/i

/** Who is asking, from the Authorization header and nothing else. */
export async function callerOf(db: Db, request: FastifyRequest, standardLimit: RateLimit | null): Promise<Caller> {
  const secret = bearer.exec(request.headers.authorization ?? '')?.[1]
  if (secret === undefined) throw new Refusal('token_missing', 'Send the header "Authorization: Bearer <token>".')
  const { partner, token } = await authenticate(db, secret, request.socket.remoteAddress ?? '')
  const ownLimit = partner.rateLimit === null ? undefined : parseRateLimit(partner.rateLimit)
  return { partner, token, rateLimit: ownLimit === undefined ? standardLimit : ownLimit }
}
