import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandLine } from './commands-in-turn.ts'
import { noEnvFile, unlimited } from './unlimited.ts'

const root = join(import.meta.dirname, '../..')
const readyWithinMs = 60_000

export type Outcome = { code: number; stdout: string; stderr: string }

export type Settings = Record<string, string>

function start(settings: Settings, args: string[], installation = root): ChildProcess {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ATRIUM_')))
  return spawn(process.execPath, [join(installation, 'bin/atrium.mjs'), ...args], {
    env: { ...env, ...noEnvFile, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a command as a user would, and waits for its end. */
export function atrium(settings: Settings, ...args: string[]): Promise<Outcome> {
  return atriumIn(root, settings, ...args)
}

/** Like `atrium`, with a copy of the program. */
export async function atriumIn(installation: string, settings: Settings, ...args: string[]): Promise<Outcome> {
  const child = start(settings, args, installation)
  const [stdout, stderr, [code]] = await Promise.all([all(child.stdout), all(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

let commands: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Like `atrium`, for the many commands that only print and change something. One process runs them in turn, because a
 * start takes ten times as long as most of them.
 */
export function command(settings: Settings, ...args: string[]): Promise<Outcome> {
  const outcome = last.then(() => inTurn({ settings, args }))
  last = outcome.catch(() => {})
  return outcome
}

async function inTurn(line: CommandLine): Promise<Outcome> {
  commands ??= fork(join(import.meta.dirname, 'commands-in-turn.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // A pending command keeps the tests running; the idle process does not.
  commands.ref()
  commands.channel?.ref()
  const over = new AbortController()
  try {
    commands.send({ ...line, settings: { ...noEnvFile, ...line.settings } })
    const exit = once(commands, 'exit', over)
    const [outcome] = await Promise.race([once(commands, 'message', over), exit.then(endedEarly)])
    return outcome
  } finally {
    over.abort()
    commands.unref()
    commands.channel?.unref()
  }
}

function endedEarly(): never {
  throw new Error('the command ended its process, which would also end those after it')
}

async function all(stream: ChildProcess['stdout']): Promise<string> {
  let text = ''
  for await (const chunk of stream?.setEncoding('utf8') ?? []) text += chunk
  return text
}

export type Serving = {
  url: string
  child: ChildProcess
  /** All output so far. */
  printed(): string
  /** Stops it gracefully and returns its exit code. */
  stop(): Promise<number | null>
}

/** Starts `atrium serve` on a free port. */
export function startServe(settings: Settings, ...args: string[]): ChildProcess {
  const { ATRIUM_OVERLOAD_LAG_MS } = unlimited
  return start({ ATRIUM_PORT: '0', ATRIUM_OVERLOAD_LAG_MS, ...settings }, ['serve', ...args])
}

/** Like `startServe`, and waits for the ready line. */
export async function serve(settings: Settings, ...args: string[]): Promise<Serving> {
  const child = startServe(settings, ...args)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
    })
  }
  const deadline = Date.now() + readyWithinMs
  const words = /atrium ready on (https?:\/\/[^\s"]+)/
  const ready = () => (args.includes('--demo') && !output.includes('/docs') ? undefined : words.exec(output)?.[1])
  while (ready() === undefined && child.exitCode === null && Date.now() < deadline) await sleep(10)
  const url = ready()
  if (url === undefined) {
    child.kill('SIGKILL')
    throw new Error(`atrium serve did not become ready:\n${output}`)
  }
  return { url, child, printed: () => output, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  return code
}
