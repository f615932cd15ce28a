import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMegabytes, start } from './processes.ts'

const root = join(import.meta.dirname, '..')
const launcher = join(root, 'bin/atrium.mjs')
const readyWithinMs = 60_000

export interface Serving {
  url: string
  pid: number
  child: ChildProcess
  startSeconds: number
}

function environment(database: string, settings: Record<string, string> = {}): NodeJS.ProcessEnv {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ATRIUM_')))
  // The rate limiter runs for each request, with a limit that is never reached.
  return {
    ...env,
    ATRIUM_DATABASE: database,
    ATRIUM_PORT: '0',
    ATRIUM_RATE_LIMIT: '1000000/s burst 1000000',
    ...settings,
  }
}

interface ServeOptions {
  /** Arguments of Node. */
  flags?: string[]
  /** Arguments of the command. */
  args?: string[]
  settings?: Record<string, string>
}

/** Starts `atrium serve` as in production, with its log in a file. */
export async function serveAtrium(database: string, logFile: string, options: ServeOptions = {}): Promise<Serving> {
  const { flags = [], args = [], settings } = options
  const log = openSync(logFile, 'w')
  const startedMs = performance.now()
  const child = start(process.execPath, [...flags, launcher, 'serve', ...args], {
    env: environment(database, settings),
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const url = await readyUrl(logFile, child)
  return { url, pid: child.pid ?? 0, child, startSeconds: (performance.now() - startedMs) / 1000 }
}

async function readyUrl(logFile: string, child: ChildProcess): Promise<string> {
  const deadline = Date.now() + readyWithinMs
  while (child.exitCode === null && Date.now() < deadline) {
    const url = /atrium ready on (http:\/\/[^\s"]+)/.exec(readFileSync(logFile, 'utf8'))?.[1]
    if (url !== undefined) return url
    await sleep(2)
  }
  throw new Error(`atrium serve did not become ready; it said:\n${readFileSync(logFile, 'utf8').slice(-2000)}`)
}

export interface Applied {
  seconds: number
  peakMegabytes: number
}

export async function applyEstate(database: string, file: string, logFile: string): Promise<Applied> {
  const log = openSync(logFile, 'w')
  const startedMs = performance.now()
  const child = start(process.execPath, [launcher, 'apply', file], {
    env: environment(database),
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const memory = watchMemory(child.pid ?? 0)
  const [code] = await once(child, 'exit')
  const applied = { seconds: (performance.now() - startedMs) / 1000, peakMegabytes: memory.stop() }
  if (code === 0) return applied
  throw new Error(`atrium apply ended with ${code}; it said:\n${readFileSync(logFile, 'utf8').slice(-2000)}`)
}

const sampleEveryMs = 100

/** Tracks the peak resident memory of the process and its children. */
export function watchMemory(pid: number): { stop(): number } {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, residentMegabytes(pid) ?? 0)
  }
  look()
  const timer = setInterval(look, sampleEveryMs).unref()
  return {
    stop: () => {
      look()
      clearInterval(timer)
      return peak
    },
  }
}
