import type { Random } from '../../torture/random.ts'

/** Letters that may stand in a path as they are. */
const free = /[A-Za-z0-9\-._~!$&'()*+,;=:@]/

/** One of the ways to write an id in a path: what must be percent-encoded is, and now and then what need not be. */
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

/** What a path means: percent-decoded once. Nothing when it cannot be. */
export function meant(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Whether these characters can stand in a request line at all. */
export function isWritable(path: string): boolean {
  return /^[\x21-\x7e]+$/.test(path) && !/[?#/]/.test(path)
}
