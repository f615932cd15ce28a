import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { noEnvFile, unlimited } from '../harness/unlimited.ts'

const readyWithinMs = 60_000
/** The flag with which the launcher would restart itself; passing it saves that restart. */
const memoryFlag = '--max-semi-space-size=4'
const readyLine = /atrium ready on (https?:\/\/[^\s"]+)/

export interface NodeOptions {
  /**
   * The database and other settings; of this process's environment, only variables that are not Atrium's are passed
   * on.
   */
  settings: Record<string, string>
  /** Options of Node, such as `--import=…`. */
  nodeFlags?: string[]
  /** A prefix of the command line: `['strace', '-f', …]`. */
  under?: string[]
  args?: string[]
}

/** `atrium serve` of a build, in a process of its own. */
export interface AtriumNode {
  url: string
  child: ChildProcess
  /** All output so far, standard output and error. */
  printed(): string
  /** Sends the signal and waits for the end; returns the exit code, or null when a signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** A node that may not be ready yet. */
export interface StartingNode extends Omit<AtriumNode, 'url'> {
  /** Rejects if it ends before. */
  ready: Promise<AtriumNode>
}

/** Starts a node and waits for its ready line; on a free port by default. */
export function startNode(build: string, options: NodeOptions): Promise<AtriumNode> {
  return beginNode(build, options).ready
}

/** Starts a node without waiting, for tests that stop it during its start. */
export function beginNode(build: string, options: NodeOptions): StartingNode {
  const child = spawnAtrium(build, { ...options, args: ['serve', ...(options.args ?? [])] })
  const output = collected(child)
  const node = { child, printed: output, end: (signal: NodeJS.Signals = 'SIGTERM') => end(child, signal) }
  const begun = ready(child, output).then((url) => ({ ...node, url }))
  begun.catch(() => {})
  return { ...node, ready: begun }
}

/** Runs any command of a build; returns its exit code and output. */
export async function runAtrium(build: string, settings: Record<string, string>, ...args: string[]) {
  const child = spawnAtrium(build, { settings, args })
  const output = collected(child)
  const [code] = await once(child, 'close')
  return { code: code as number | null, printed: output() }
}

/** Runs as for users: measuring coverage would disable the compile cache. */
function spawnAtrium(build: string, { settings, nodeFlags = [], under = [], args = [] }: NodeOptions): ChildProcess {
  const ours = /^(ATRIUM_|npm_|NODE_TEST|NODE_V8_COVERAGE$)/
  const env = Object.entries(process.env).filter(([name]) => !ours.test(name))
  const words = [...under, process.execPath, memoryFlag, ...nodeFlags, join(build, 'bin/atrium.mjs'), ...args]
  return spawn(words[0] as string, words.slice(1), {
    cwd: build,
    env: { ...Object.fromEntries(env), ATRIUM_PORT: '0', ...unlimited, ...noEnvFile, ...settings },
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
