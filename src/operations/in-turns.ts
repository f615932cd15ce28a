import { setImmediate as breath } from 'node:timers/promises'

/** What takes a few milliseconds. */
const atOnce = 512

/** Makes something of each of many, some at a time: others are answered in between. */
export async function mapInTurns<T, R>(all: readonly T[], make: (one: T) => R): Promise<R[]> {
  const made: R[] = []
  for (const some of parts(all, atOnce)) {
    made.push(...some.map(make))
    if (made.length < all.length) await breath()
  }
  return made
}

export function* parts<T>(all: readonly T[], length: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length)
}
