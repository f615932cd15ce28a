import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Write } from './write-file.ts'

/** Thrown when the program that reads the output has closed the pipe, as `head` does: further output is of no use. */
export class PipeClosed extends Error {}

/** Writes text, and waits while the reader of the output is slow, so that output does not accumulate in memory. */
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

export async function toStandardOutput(work: (write: Write) => Promise<void>): Promise<void> {
  try {
    await work((text) => writeOut(process.stdout, text))
  } catch (error) {
    if (!(error instanceof PipeClosed)) throw error
  }
}
