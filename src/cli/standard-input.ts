import { createInterface } from 'node:readline/promises'

/**
 * Returns the first line of standard input. Used for secrets: other users of the machine can see command-line
 * arguments.
 */
export async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input, terminal: false })) return line
  return ''
}
