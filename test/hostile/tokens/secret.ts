import { crc32 } from 'node:zlib'
import type { Random } from '../../torture/random.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const form = /atr_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}/g

/** Computes the checksum independently of src/: CRC-32 of the text before it, six digits in base 62. */
export function checksumOf(body: string): string {
  let text = ''
  for (let rest = BigInt(crc32(body)), place = 0; place < 6; place++, rest /= 62n)
    text = digits[Number(rest % 62n)] + text
  return text
}

export function isWellFormed(secret: string): boolean {
  return new RegExp(`^${form.source}$`).test(secret) && secret.endsWith(checksumOf(secret.slice(0, -6)))
}

/** Returns a secret that is well-formed and could be right. */
export function guess(random: Random, id = text(random, 8)): string {
  const body = `atr_${id}_${text(random, 43)}`
  return body + checksumOf(body)
}

/** Changes one character after the prefix. */
export function mistyped(random: Random, secret: string): string {
  const at = 13 + random.below(secret.length - 13)
  const others = [...digits].filter((digit) => digit !== secret[at])
  return secret.slice(0, at) + random.pick(others) + secret.slice(at + 1)
}

function text(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick([...digits])).join('')
}
