import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { tool } from '../torture/tool.ts'

const folder = join(import.meta.dirname, '../../examples')

/** An example in one language: how its two programs are run. */
export interface Language {
  name: string
  /** Installs what is missing and compiles, and returns the command lines. `scratch` is a folder for what is compiled. */
  prepare(scratch: string): { stay: string[]; webhook(port: number): string[] }
}

const python: Language = {
  name: 'Python',
  prepare: () => {
    const interpreter = tool('python3')
    const at = join(folder, 'python')
    return { stay: [interpreter, join(at, 'stay.py')], webhook: () => [interpreter, join(at, 'webhook.py')] }
  },
}

const php: Language = {
  name: 'PHP',
  prepare: () => {
    const interpreter = tool('php', 'php-cli')
    const at = join(folder, 'php')
    return {
      stay: [interpreter, join(at, 'stay.php')],
      webhook: (port) => [interpreter, '-S', `127.0.0.1:${port}`, join(at, 'webhook.php')],
    }
  },
}

export const languages = [python, php]

export function compile(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'pipe' })
}
