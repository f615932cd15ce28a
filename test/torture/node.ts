import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { unlimited } from '../harness/unlimited.ts'

const readyWithinMs = 60_000
/** The flag with which the launcher would start itself once more: so each node starts once. */
const memoryFlag = '--max-semi-space-size=4'
const readyLine = /atrium ready on (https?:\/\/[^\s"]+)/

export interface NodeOptions {
  /** The database and all else that is set; of our own environment only what is not Atrium's is passed on. */
  settings: Record<string, string>
  /** For Node itself, such as `--import=…`. */
  nodeFlags?: string[]
  /** Put before the command line: `['strace', '-f', …]`. */
  under?: string[]
  args?: string[]
}

/** `atrium serve` of a build, in a process of its own. */
export interface AtriumNode {
  url: string
  child: ChildProcess
  /** All that it has printed so far, standard output and error. */
  printed(): string
  /** Sends the signal and waits for the end; gives the exit code, or nothing when the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** One that may not answer yet. */
export interface StartingNode extends Omit<AtriumNode, 'url'> {
  /** Fails when it ends before. */
  ready: Promise<AtriumNode>
}

/** Once it says that it is ready, on a free port unless one is set. */
export function startNode(build: string, options: NodeOptions): Promise<AtriumNode> {
  return beginNode(build, options).ready
}

/** For those who want to end it while it starts. */
export function beginNode(build: string, options: NodeOptions): StartingNode {
  const child = spawnAtrium(build, { ...options, args: ['serve', ...(options.args ?? [])] })
  const output = collected(child)
  const node = { child, printed: output, end: (signal: NodeJS.Signals = 'SIGTERM') => end(child, signal) }
  const begun = ready(child, output).then((url) => ({ ...node, url }))
  begun.catch(() => {})
  return { ...node, ready: begun }
}

/** Any command of a build: its exit code and all that it printed. */
export async function runAtrium(build: string, settings: Record<string, string>, ...args: string[]) {
  const child = spawnAtrium(build, { settings, args })
  const output = collected(child)
  const [code] = await once(child, 'close')
  return { code: code as number | null, printed: output() }
}

/** As users run it: measuring coverage would keep it from using what was compiled before. */
function spawnAtrium(build: string, { settings, nodeFlags = [], under = [], args = [] }: NodeOptions): ChildProcess {
  const ours = /^(ATRIUM_|npm_|NODE_TEST|NODE_V8_COVERAGE$)/
  const env = Object.entries(process.env).filter(([name]) => !ours.test(name))
  const words = [...under, process.execPath, memoryFlag, ...nodeFlags, join(build, 'bin/atrium.mjs'), ...args]
  return spawn(words[0] as string, words.slice(1), {
    cwd: build,
    env: { ...Object.fromEntries(env), ATRIUM_PORT: '0', ...unlimited, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function collected(child: ChildProcess): () => string {
  const pieces: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece) => pieces.push(piece))
  }
  return () => pieces.join('')
}

function ready(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`atrium serve did not become ready:\n${output()}`))
    }
    const timer = setTimeout(fail, readyWithinMs)
    const look = () => {
      const url = readyLine.exec(output())?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      child.stdout?.off('data', look)
      child.off('exit', fail).off('error', fail)
      resolve(url)
    }
    child.stdout?.on('data', look)
    child.on('exit', fail).on('error', fail)
  })
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return child.exitCode
}
