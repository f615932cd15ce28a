import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../domain/refusal.ts'
import { authenticate } from '../operations/authenticate.ts'
import type { Db } from '../storage/database.ts'
import type { KnownToken } from '../storage/memory/partners.ts'

const bearer = /^Bearer +(\S+) *$/i

/** Who is asking, from the Authorization header and nothing else. */
export async function tokenOf(
  db: Db,
  { headers, address = '' }: { headers: IncomingHttpHeaders; address: string | undefined },
): Promise<KnownToken> {
  const secret = bearer.exec(headers.authorization ?? '')?.[1]
  if (secret === undefined) throw new Refusal('token_missing', 'Send the header "Authorization: Bearer <token>".')
  return authenticate(db, secret, address)
}
