import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from '../plant.ts'
import type { HarnessResult } from '../result.ts'

export interface Machine {
  cores: number
  memoryGigabytes: number
  system: string
  node: string
}

/** The raw report of one full run. The page is rendered from this and the lists that are maintained by hand. */
export interface Report {
  date: string
  commit: string
  seed: number
  /** The time limit; null if the counts decided. */
  minutes: number | null
  seconds: number
  machine: Machine
  results: HarnessResult[]
}

const reportFile = join(root, 'test/torture/report.json')

export function readReport(file = reportFile): Report | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

export function writeReport(report: Report, file = reportFile): void {
  writeFileSync(file, `${JSON.stringify(report, publishable, 1)}\n`)
}

/** Rounds numbers to six digits, and removes the project's path on this machine. */
function publishable(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(`${root}/`, '')
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value
}

export function machineNow(): Machine {
  return {
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
  }
}

export function commitNow(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', cwd: root }).trim()
  try {
    const changed = git('status', '--porcelain', '--', 'src', 'bin', 'test') !== ''
    return `${git('rev-parse', '--short=10', 'HEAD')}${changed ? ' and changes' : ''}`
  } catch {
    return 'unknown'
  }
}
