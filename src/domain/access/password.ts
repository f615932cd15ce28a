import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import { characters } from '../text.ts'

const lengthAtLeast = 10
const lengthAtMost = 200

export function passwordFault(password: string): string | undefined {
  const length = characters(password)
  if (length < lengthAtLeast) return `must have at least ${lengthAtLeast} characters; a short sentence is a good one`
  if (length > lengthAtMost) return `must have at most ${lengthAtMost} characters`
  return new Set(password).size < 4 ? 'must not repeat the same few characters' : undefined
}

// 32 MiB and about a tenth of a second for each guess: work for a thread that does nothing else.
const cost = { N: 2 ** 15, r: 8, p: 3 }
const keyBytes = 32
const saltBytes = 16

/** A memory-hard hash with its salt and its cost, so that the cost can grow later. */
export function hashPassword(password: string): string {
  const salt = randomBytes(saltBytes)
  return stored(salt, derived(password, salt, cost))
}

export function isPassword(password: string, hash: string): boolean {
  const [, N, r, p, salt = '', key = ''] = hash.split('$')
  const given = derived(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return timingSafeEqual(given, Buffer.from(key, 'base64url'))
}

/** No password fits it. Comparing with it takes as long as with a real one, so that time does not tell who has one. */
export const noPassword = stored(randomBytes(saltBytes), randomBytes(keyBytes))

function stored(salt: Buffer, key: Buffer): string {
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

function derived(password: string, salt: Buffer, { N, r, p }: typeof cost): Buffer {
  return scryptSync(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r })
}
