import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installWithApt, programPath } from '../../bench/programs.ts'
import { command, type Outcome } from '../harness/command.ts'
import type { Example } from './example.ts'

const root = join(import.meta.dirname, '../..')
const launcher = join(root, 'bin/atrium.mjs')
const between = '\u001e'

/** Runs all examples of a guide in one shell, as if pasted, and returns the output of each. */
export async function paste(examples: Example[], cwd: string, env: Record<string, string>): Promise<string[]> {
  if (programPath('curl') === undefined) {
    installWithApt('apt-get -qq install --no-install-recommends -y curl', 'the guides are tried with curl: install it')
  }
  const script = [
    'set -e',
    `node() { shift; '${process.execPath}' '${launcher}' "$@"; }`,
    ...examples.map(({ language, code }) => `${language === 'js' ? inNode(code) : code}\nprintf '${between}'`),
  ].join('\n')
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd, env: { ...process.env, ...env } })
  return stdout.split(between).slice(0, -1)
}

function inNode(code: string): string {
  return `'${process.execPath}' --input-type=module <<'END'\n${code}END`
}

/** One line of an operator's example; a shell and a process for each would take ten times as long. */
export function runLine(line: string, settings: Record<string, string>): Promise<Outcome> {
  if (line.includes(' | ')) return runPipe(line, settings)
  const words = Array.from(
    line
      .replace(/\s+#.*$/, '')
      .replace(/ > \S+$/, '')
      .matchAll(/"([^"]*)"|\S+/g),
    ([word, quoted]) => quoted ?? word,
  )
  const at = words.indexOf('node')
  const own = words.slice(0, at).map((word) => word.split(/=(.*)/s).slice(0, 2))
  return command({ ...settings, ...Object.fromEntries(own) }, ...words.slice(at + 2))
}

async function runPipe(line: string, settings: Record<string, string>): Promise<Outcome> {
  const own = line.replace('node bin/', `"${process.execPath}" bin/`)
  const env = { ...process.env, TOKEN: 'a-secret-of-another-installation', ...settings }
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', own], { cwd: root, env })
  return { code: 0, stdout, stderr }
}
