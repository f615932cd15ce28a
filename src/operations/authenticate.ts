import { timingSafeEqual } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import type { Partner } from '../domain/partner.ts'
import { Refusal } from '../domain/refusal.ts'
import { nowIso } from '../domain/time.ts'
import { hashSecret, isUsable, publicIdOf, type Token } from '../domain/token.ts'
import type { Db } from '../storage/database.ts'
import { findTokenForRequest } from '../storage/token.ts'

export interface Authenticated {
  partner: Partner
  token: Token
}

/** Whose secret this is, asked of the database each time: a revoked token is gone at once, on every node. */
export async function authenticate(db: Db, secret: string, address: string): Promise<Authenticated> {
  const publicId = publicIdOf(secret)
  const found = publicId === undefined ? undefined : await db.read((tx) => findTokenForRequest(tx, publicId))
  if (found === undefined || !sameHash(found.token.hash, hashSecret(secret)) || !isUsable(found.token, nowIso())) {
    throw unusable()
  }
  if (!isAllowed(address, found.token.allowedRanges)) {
    throw new Refusal('address_not_allowed', 'This token cannot be used from this address.')
  }
  return found
}

/** The database as this token may use it: asked again in each writing transaction, for bodies can be slow to arrive. */
export function onBehalfOf(db: Db, token: Pick<Token, 'id'>): Db {
  return {
    ...db,
    write: (work) =>
      db.write(async (tx) => {
        const found = await findTokenForRequest(tx, token.id)
        if (found === undefined || !isUsable(found.token, nowIso())) throw unusable()
        return work(tx)
      }),
  }
}

function unusable(): Refusal {
  return new Refusal('token_invalid', 'The token is unknown, expired or revoked.')
}

function sameHash(stored: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(stored, 'hex'), Buffer.from(given, 'hex'))
}

function isAllowed(address: string, ranges: string[]): boolean {
  if (ranges.length === 0) return true
  if (isIP(address) === 0) return false
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(network, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
