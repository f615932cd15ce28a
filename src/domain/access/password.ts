import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import { characters } from '../text.ts'

const minLength = 10
const maxLength = 200

export function passwordFault(password: string): string | undefined {
  const length = characters(password)
  if (length < minLength) return `must have at least ${minLength} characters; a short sentence is a good one`
  if (length > maxLength) return `must have at most ${maxLength} characters`
  return new Set(password).size < 4 ? 'must not repeat the same few characters' : undefined
}

// 32 MiB and about a tenth of a second for each guess: work for a thread that does nothing else.
const cost = { N: 2 ** 15, r: 8, p: 3 }
const keyBytes = 32
const saltBytes = 16

/** A memory-hard hash with its salt and its cost, so that the cost can grow later. */
export function hashPassword(password: string): string {
  const salt = randomBytes(saltBytes)
  return formatHash(salt, deriveKey(password, salt, cost))
}

export function verifyPassword(password: string, hash: string): boolean {
  const [, N, r, p, salt = '', key = ''] = hash.split('$')
  const given = deriveKey(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return timingSafeEqual(given, Buffer.from(key, 'base64url'))
}

/** No password fits it. Comparing with it takes as long as with a real one, so that time does not tell who has one. */
export const unmatchableHash = formatHash(randomBytes(saltBytes), randomBytes(keyBytes))

function formatHash(salt: Buffer, key: Buffer): string {
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

function deriveKey(password: string, salt: Buffer, { N, r, p }: typeof cost): Buffer {
  return scryptSync(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r })
}
