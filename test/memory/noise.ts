import { randomBytes } from 'node:crypto'

const longest = randomBytes(100_000).toString('base64')

/** Text of this length in which nothing is said twice, so that it cannot be squeezed; always the same. */
export function noise(length: number): string {
  return longest.slice(0, length)
}
