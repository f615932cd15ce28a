import { createInterface } from 'node:readline/promises'

/** Returns the first line of standard input, for secrets: other users could see them as arguments. */
export async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input, terminal: false })) return line
  return ''
}
