import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { characters } from './text.ts'

const lengthAtLeast = 10
const lengthAtMost = 200

export function passwordFault(password: string): string | undefined {
  const length = characters(password)
  if (length < lengthAtLeast) return `must have at least ${lengthAtLeast} characters; a short sentence is a good one`
  if (length > lengthAtMost) return `must have at most ${lengthAtMost} characters`
  return new Set(password).size < 4 ? 'must not repeat the same few characters' : undefined
}

// 32 MiB and about a tenth of a second for each guess, in a thread of its own.
const cost = { N: 2 ** 15, r: 8, p: 3 }
const keyBytes = 32
const saltBytes = 16

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

/** A memory-hard hash with its salt and its cost, so that the cost can grow later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const key = await derived(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = stored.split('$')
  const given = await derived(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return timingSafeEqual(given, Buffer.from(key, 'base64url'))
}

let nobodys: Promise<string> | undefined

/** Takes as long as looking at a real password does, where there is none: who has one is not to be heard. */
export async function refusePassword(password: string): Promise<false> {
  nobodys ??= hashPassword(randomBytes(saltBytes).toString('base64url'))
  await isPassword(password, await nobodys)
  return false
}

function derived(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  return derive(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r })
}
