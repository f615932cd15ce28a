import { createInterface } from 'node:readline/promises'

export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream & { isTTY?: boolean }
}

const standard: Terminal = { input: process.stdin, output: process.stderr }

/** Returns whether there is a terminal to ask a person; scripts have none. */
export function isTerminal({ input, output }: Terminal = standard): boolean {
  return input.isTTY === true && output.isTTY === true
}

/** Asks for confirmation; true only for the whole word "yes", false at the end of the input. */
export async function confirm(question: string, { input, output }: Terminal = standard): Promise<boolean> {
  const lines = createInterface({ input, output, terminal: false })
  output.write(`${question} Type yes to go on: `)
  try {
    for await (const line of lines) return line.trim() === 'yes'
    return false
  } finally {
    lines.close()
  }
}
