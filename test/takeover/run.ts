import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Outcome, Settings } from '../harness/command.ts'

const launcher = join(import.meta.dirname, '../../bin/atrium.mjs')

/** A command that reads tokens from standard input. */
export interface Running {
  child: ChildProcess
  /** Everything on standard error so far. */
  said(): string
  outcome: Promise<Outcome>
}

export function start(tokens: string, settings: Settings, ...args: string[]): Running {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ATRIUM_')))
  const child = spawn(process.execPath, [launcher, ...args], { env: { ...env, ...settings } })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  child.stdin.on('error', () => {})
  child.stdin.end(tokens)
  const outcome = once(child, 'close').then(([code]) => ({ code, stdout, stderr }))
  return { child, said: () => stderr, outcome }
}

export function run(tokens: string, settings: Settings, ...args: string[]): Promise<Outcome> {
  return start(tokens, settings, ...args).outcome
}
