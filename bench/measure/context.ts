import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Databases } from '../estate/databases.ts'
import type { BenchEstate } from '../estate/shape.ts'
import type { Figure } from '../figure.ts'
import type { Sample } from '../limits/sample.ts'
import { end, start } from '../processes.ts'
import type { Profile } from '../profile.ts'

export interface Timing {
  rounds: number
  /** Maximum number of rounds repeated because of CPU steal time. */
  repeats: number
  seconds: number
  warmUpSeconds: number
}

/** Context of all measurements on one engine. */
export interface Context {
  estate: BenchEstate
  databases: Databases
  /** Used only by this run. */
  folder: string
  timing: Timing
  quick: boolean
  say(line: string): void
  add(figure: Figure): void
  addProfiles(profiles: Profile[]): void
}

/** An estate to measure on, and the database that Atrium serves it from. */
export interface Ground {
  context: Context
  database: string
}

export interface BareServer {
  url: string
  pid: number
  stop(): Promise<void>
}

const bare = join(import.meta.dirname, '../limits/bare-http.ts')
const readyWithinMs = 20_000

/** Starts the bare node:http server with these responses. */
export async function startBare(folder: string, samples: Sample[], processes = 1): Promise<BareServer> {
  const file = join(folder, 'samples.json')
  writeFileSync(file, JSON.stringify(samples))
  const { child, said } = listening(process.execPath, [bare, file, String(processes)])
  const deadline = Date.now() + readyWithinMs
  while (child.exitCode === null && Date.now() < deadline) {
    const url = /ready on (\S+)/.exec(said())?.[1]
    if (url !== undefined) return { url, pid: child.pid ?? 0, stop: () => end(child) }
    await sleep(5)
  }
  throw new Error(`the bare server did not start from ${readFileSync(file, 'utf8').slice(0, 200)}`)
}

function listening(command: string, args: string[]) {
  const child = start(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  return { child, said: () => output }
}
