import type { Readable } from 'node:stream'

const newline = 10

/** Writes one or more lines, and says whether it can take more at once. */
export type WriteLines = (lines: Buffer) => boolean

/** To standard output as they are; on a terminal in the form for people. */
export async function lineWriter(out: NodeJS.WriteStream): Promise<WriteLines> {
  if (!out.isTTY) return (lines) => out.write(lines)
  const stream = (await import('../../http/observability/log.ts')).readableStream(out)
  return (lines) => {
    for (const line of lines.toString().split('\n')) if (line !== '') stream.write(line)
    return true
  }
}

/** Passes on whole lines only: what several processes write to one pipe by themselves can end up inside one another. */
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
    // Whoever reads the log is slow: let the worker wait for it as it would by itself.
    from.pause()
    out.once('drain', () => from.resume())
  })
  from.on('end', () => {
    if (rest.length > 0) write(Buffer.concat([rest, Buffer.from('\n')]))
  })
}
