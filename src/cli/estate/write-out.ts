import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Thrown when the reader of a pipe has closed it (`| head`), so that there is no use in writing on. */
export class PipeClosed extends Error {}

/** Writes with backpressure: waits for `drain`, so that output does not pile up in memory. */
export async function writeOut(stream: Writable, text: string): Promise<void> {
  if (stream.errored || stream.destroyed) throw new PipeClosed()
  if (stream.write(text)) return
  try {
    await once(stream, 'drain')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw new PipeClosed()
    throw error
  }
}
