import { createInterface } from 'node:readline/promises'

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream & { isTTY?: boolean }
}

const standard: Terminal = { input: process.stdin, output: process.stderr }

export function isTerminal({ input, output }: Terminal = standard): boolean {
  return input.isTTY === true && output.isTTY === true
}

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
