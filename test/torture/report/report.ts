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

/** One whole run, raw. The page is drawn from this and nothing else but the lists kept by hand. */
export interface Report {
  date: string
  commit: string
  seed: number
  /** Of the limit that was given; nothing when the counts decided. */
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

/** Numbers as far as they say something, and no word of where the project lay on the machine. */
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
