import { createInterface } from 'node:readline/promises'

/** A secret is read from standard input: a command line can be seen by others. */
export async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input, terminal: false })) return line
  return ''
}
