import type { Random } from '../../torture/random.ts'

/** Characters that need no percent-encoding in a path. */
const free = /[A-Za-z0-9\-._~!$&'()*+,;=:@]/

/** Returns a spelling of an id in a path: percent-encodes what must be, and at random what need not be. */
export function spelled(id: string, random: Random): string {
  const share = random.pick([0, 0, 0.2, 1])
  return Array.from(id, (letter) => {
    if (free.test(letter) && !random.chance(share)) return letter
    return Array.from(Buffer.from(letter), (byte) => hex(byte, random)).join('')
  }).join('')
}

function hex(byte: number, random: Random): string {
  const digits = byte.toString(16).padStart(2, '0')
  return `%${random.chance(0.5) ? digits : digits.toUpperCase()}`
}

/** Percent-decodes a path once. Returns undefined when that is impossible. */
export function meant(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Whether a request line can contain these characters. */
export function isWritable(path: string): boolean {
  return /^[\x21-\x7e]+$/.test(path) && !/[?#/]/.test(path)
}
