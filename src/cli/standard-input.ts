import type { Readable } from 'node:stream'

const lineBreak = 0x0a

/** Reads a secret: other users can see arguments. Leaves the lines after the first to the next reader. */
export async function firstLine(input: Readable): Promise<string> {
  const pieces: Buffer[] = []
  for await (const chunk of input.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk)
    const end = bytes.indexOf(lineBreak)
    pieces.push(end === -1 ? bytes : bytes.subarray(0, end))
    if (end === -1) continue
    if (end + 1 < bytes.length) input.unshift(bytes.subarray(end + 1))
    break
  }
  // Without this, an input that stays open, such as a terminal, would keep the process running.
  input.pause()
  return Buffer.concat(pieces).toString('utf8').replace(/\r$/, '')
}
