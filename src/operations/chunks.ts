import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** The number of array elements per chunk. Mapping one chunk blocks the event loop for a few milliseconds. */
const chunkSize = 512

/** Maps a long array in chunks, and lets other requests run between two chunks. */
export async function mapInChunks<T, R>(all: readonly T[], map: (one: T) => R): Promise<R[]> {
  const mapped: R[] = []
  for (const chunk of chunks(all, chunkSize)) {
    mapped.push(...chunk.map(map))
    if (mapped.length < all.length) await yieldToEventLoop()
  }
  return mapped
}

export function* chunks<T>(all: readonly T[], length: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length)
}
