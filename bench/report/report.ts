import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Figure } from '../figure.ts'
import type { Profile } from '../profile.ts'

export interface Machine {
  processor: string
  cores: number
  memoryGigabytes: number
  system: string
  node: string
  sqlite?: string
  postgres?: string
}

/** One run of the benchmark. */
export interface Run {
  id: number
  date: string
  commit: string
  command: string
  quick: boolean
  /** CPU steal time as a share, where the system reports it. */
  stolen?: number | undefined
  machine: Machine
}

export interface ReportedFigure extends Figure {
  run: number
}

export interface ReportedProfile extends Profile {
  commit: string
}

/** All raw measurements, the only source of the pages and charts. */
export interface Report {
  runs: Run[]
  figures: ReportedFigure[]
  profiles?: ReportedProfile[]
}

export const reportFile = join(import.meta.dirname, '../report.json')

export function readReport(file = reportFile): Report {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { runs: [], figures: [] }
}

export function writeReport(report: Report, file = reportFile): void {
  writeFileSync(file, `${JSON.stringify(report, rounded, 1)}\n`)
}

/** Rounds to six significant digits, more than the accuracy of a benchmark. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value
}

/**
 * Replaces old measurements by new ones of the same subject. A quick one never replaces a full one, and a failed one
 * replaces nothing.
 */
export function merge(old: Report, run: Omit<Run, 'id'>, figures: Figure[]): Report {
  const id = Math.max(0, ...old.runs.map((one) => one.id)) + 1
  const fullRuns = new Set(old.runs.filter(({ quick }) => !quick).map((one) => one.id))
  const measured = old.figures.filter(({ skipped }) => skipped === undefined)
  const subjects = new Set(measured.map(subjectOf))
  const lasting = new Set(measured.filter((one) => fullRuns.has(one.run)).map(subjectOf))
  const isBetter = (figure: Figure) => {
    if (figure.skipped !== undefined) return !subjects.has(subjectOf(figure))
    return !(run.quick && lasting.has(subjectOf(figure)))
  }
  const added = figures.filter(isBetter).map((figure) => ({ ...figure, run: id }))
  const replaced = new Set(added.map(subjectOf))
  const all = [...old.figures.filter((figure) => !replaced.has(subjectOf(figure))), ...added]
  const used = new Set(all.map((figure) => figure.run))
  return { ...old, runs: [...old.runs, { id, ...run }].filter((one) => used.has(one.id)), figures: all }
}

/** Replaces profiles of the same work on the same engine. */
export function withProfiles(report: Report, commit: string, profiles: Profile[]): Report {
  const added = profiles.map((profile): ReportedProfile => ({ ...profile, commit }))
  const isReplaced = (one: ReportedProfile) =>
    added.some(({ work, engine, scale }) => work === one.work && engine === one.engine && scale === one.scale)
  return { ...report, profiles: [...(report.profiles ?? []).filter((one) => !isReplaced(one)), ...added] }
}

/** Identifies a measurement without its reference: a run always measures all references. */
function subjectOf({ name, engine, peer = '', scale }: Figure): string {
  return [peer, peer === '' ? engine : '', scale, name].join('|')
}

export function machineNow(versions: { sqlite?: string; postgres?: string }): Machine {
  const [cpu] = cpus()
  return {
    processor: cpu?.model.trim() || process.arch,
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    ...versions,
  }
}

export function commitNow(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).trim()
  try {
    const changed = git('status', '--porcelain', '--', '../../src', '../../bin') !== ''
    return `${git('rev-parse', '--short=10', 'HEAD')}${changed ? ' and changes' : ''}`
  } catch {
    return 'unknown'
  }
}
