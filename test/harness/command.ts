import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const launcher = join(import.meta.dirname, '../../bin/atrium.mjs')
const readyWithinMs = 60_000

export type Outcome = { code: number; stdout: string; stderr: string }

export type Settings = Record<string, string>

function start(settings: Settings, args: string[]): ChildProcess {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ATRIUM_')))
  return spawn(process.execPath, [launcher, ...args], {
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a command as its user would and waits for its end. */
export async function atrium(settings: Settings, ...args: string[]): Promise<Outcome> {
  const child = start(settings, args)
  const [stdout, stderr, [code]] = await Promise.all([all(child.stdout), all(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

async function all(stream: ChildProcess['stdout']): Promise<string> {
  let text = ''
  for await (const chunk of stream?.setEncoding('utf8') ?? []) text += chunk
  return text
}

export type Serving = {
  url: string
  child: ChildProcess
  /** All that it has printed so far. */
  printed(): string
  /** Ends it in order and gives its exit code. */
  stop(): Promise<number | null>
}

/** `atrium serve` on a free port, once it says that it is ready. */
export async function serve(settings: Settings, ...args: string[]): Promise<Serving> {
  const child = start({ ATRIUM_PORT: '0', ...settings }, ['serve', ...args])
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
