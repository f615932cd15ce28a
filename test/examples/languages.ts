import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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

const java: Language = {
  name: 'Java',
  prepare: (scratch) => {
    const compiler = tool('javac', 'default-jdk-headless')
    run(
      compiler,
      '-encoding',
      'UTF-8',
      '-d',
      scratch,
      ...['Stay', 'Receiver', 'Json'].map((name) => join(folder, 'java', `${name}.java`)),
    )
    // Both start faster without the optimizing compiler.
    const start = [tool('java'), '-XX:TieredStopAtLevel=1', '-cp', scratch]
    return { stay: [...start, 'Stay'], webhook: () => [...start, 'Receiver'] }
  },
}

/** Debian has no .NET; Mono runs the same sources, with the commands of the README. */
const csharp: Language = {
  name: 'C#',
  prepare: (scratch) => {
    const mono = 'mono-runtime libmono-system-net-http4.0-cil libmono-system-runtime-serialization4.0-cil'
    const compiler = tool('mcs', `mono-mcs ${mono}`)
    const readme = readFileSync(join(folder, 'README.md'), 'utf8')
    const compile = (program: string) => {
      const out = join(scratch, `${program}.exe`)
      const [, args] = new RegExp(`^mcs (.*\\b${program}\\.cs .*)\nmono ${program}\\.exe`, 'm').exec(readme) ?? []
      assert.ok(args !== undefined, `the README says how ${program}.cs is compiled and run`)
      execFileSync(compiler, [`-out:${out}`, ...args.split(' ')], { stdio: 'pipe', cwd: join(folder, 'csharp') })
      return ['mono', out]
    }
    const [stay, receiver] = [compile('Stay'), compile('Receiver')]
    return { stay, webhook: () => receiver }
  },
}

export const languages = [python, php, java, csharp]

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'pipe' })
}
