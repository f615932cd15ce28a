import type { SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { end, start } from '../../processes.ts'

const timeoutMs = 15 * 60_000

/** Runs a program; when it fails, the error is its first line of error output. */
export async function run(command: string, args: string[], options: SpawnOptions): Promise<string> {
  const child = start(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const timer = setTimeout(() => end(child), timeoutMs)
  const [output, complaint, [code]] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    once(child, 'exit'),
  ]).finally(() => clearTimeout(timer))
  if (code === 0) return output
  const lines = `${complaint}\n${output}`.split('\n').filter((line) => line.trim() !== '')
  const telling = lines.find((line) => /error/i.test(line) && !/^npm error( code \w+)?\s*$/.test(line))
  throw new Error(telling ?? lines.at(-1) ?? `it ended with ${code}`)
}
