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

// scrypt with these parameters takes 32 MiB and about 0.1 s per guess, so it runs in a worker thread.
const cost = { N: 2 ** 15, r: 8, p: 3 }
const keyBytes = 32
const saltBytes = 16

/** Hashes a password with scrypt. The result holds salt and cost: it stays valid when the cost is raised. */
export function hashPassword(password: string): string {
  const salt = randomBytes(saltBytes)
  return formatHash(salt, deriveKey(password, salt, cost))
}

export function verifyPassword(password: string, hash: string): boolean {
  const [, N, r, p, salt = '', key = ''] = hash.split('$')
  const given = deriveKey(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return timingSafeEqual(given, Buffer.from(key, 'base64url'))
}

/** Checked for unknown operators, so that the duration of a sign-in does not reveal which operators exist. */
export const unmatchableHash = formatHash(randomBytes(saltBytes), randomBytes(keyBytes))

function formatHash(salt: Buffer, key: Buffer): string {
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

function deriveKey(password: string, salt: Buffer, { N, r, p }: typeof cost): Buffer {
  return scryptSync(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r })
}
