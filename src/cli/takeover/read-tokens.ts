import { createInterface } from 'node:readline/promises'
import { Failure } from '../failure.ts'

const maxLines = 1000

/** Reads tokens from standard input, because other users could see arguments. Messages name a token by its line. */
export async function readTokens(input: NodeJS.ReadableStream, perLine: number): Promise<string[][]> {
  if ((input as NodeJS.ReadStream).isTTY) process.stderr.write('Type one token per line, then Ctrl-D:\n')
  const lines: string[][] = []
  for await (const line of createInterface({ input, terminal: false })) {
    const words = line.split(/\s+/).filter((word) => word !== '')
    if (words.length === 0) continue
    lines.push(words)
    const at = `line ${lines.length} of standard input`
    if (lines.length > maxLines) throw new Failure(`standard input has more than ${maxLines} tokens`)
    if (words.length > perLine) throw new Failure(`${at} has ${words.length} words: write ${perLine} at most`)
    if (!words.every((word) => /^[\x21-\x7e]+$/.test(word))) throw new Failure(`${at} is not a token`)
  }
  if (lines.length === 0) throw new Failure('no token on standard input: write one per line, as in `< tokens.txt`')
  return lines
}
