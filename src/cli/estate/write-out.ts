import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** The reader of a pipe has gone (`| head`): there is nobody left to write for. */
export class ReaderGone extends Error {}

/** Writes and waits while the reader is slower, so that nothing piles up in memory. */
export async function writeOut(stream: Writable, text: string): Promise<void> {
  if (stream.errored || stream.destroyed) throw new ReaderGone()
  if (stream.write(text)) return
  try {
    await once(stream, 'drain')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw new ReaderGone()
    throw error
  }
}
