import type { Readable } from 'node:stream'

const newline = 10

/** Writes one or more whole lines. Returns false if the output is full and the caller should wait for `drain`. */
export type WriteLines = (lines: Buffer) => boolean

export async function lineWriter(out: NodeJS.WriteStream): Promise<WriteLines> {
  if (!out.isTTY) return (lines) => out.write(lines)
  const stream = (await import('../../http/observability/log.ts')).readableStream(out)
  return (lines) => {
    for (const line of lines.toString().split('\n')) if (line !== '') stream.write(line)
    return true
  }
}

/** Copies the output of a worker in whole lines: if several processes wrote to one pipe, their lines could mix. */
export function relayLines(from: Readable, out: NodeJS.WriteStream, write: WriteLines): void {
  let rest: Buffer = Buffer.alloc(0)
  from.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(newline) + 1
    if (end === 0) {
      rest = Buffer.concat([rest, chunk])
      return
    }
    const lines = Buffer.concat([rest, chunk.subarray(0, end)])
    rest = chunk.subarray(end)
    if (write(lines)) return
    // Stops reading from the worker until the output has drained, so that the worker waits.
    from.pause()
    out.once('drain', () => from.resume())
  })
  from.on('end', () => {
    if (rest.length > 0) write(Buffer.concat([rest, Buffer.from('\n')]))
  })
}
