import { createInterface } from 'node:readline/promises'

/** Reads a secret from standard input: other users can see the arguments of a command line. */
export async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input, terminal: false })) return line
  return ''
}
