import type { EngineName } from '../estate/databases.ts'
import type { Figure, Unit } from '../figure.ts'
import { spreadOf } from '../statistics.ts'

export const engineTitle: Record<EngineName, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** Formats a measurement. */
export interface Row {
  figure: string
  engine: string
  measured: string
  limit: string
  ratio: string
  target: string
  met: string
}

export const rowTitles: Row = {
  figure: 'work',
  engine: 'engine',
  measured: 'Atrium',
  limit: 'reference',
  ratio: 'ratio (lowest–highest)',
  target: 'target',
  met: 'met',
}

export function rowOf(figure: Figure): Row {
  const { name, engine, peer, unit, measured, limit, limits, ratios, skipped } = figure
  const met = isMet(figure)
  // The spread is shown once: with the ratio, or with the measurement when there is no ratio.
  const shown = (values: number[]) => amountOf(values, unit, ratios === undefined || ratios.length === 0)
  return {
    figure: name,
    engine: peer ?? engineTitle[engine],
    measured: skipped === undefined ? shown(measured) : `– ${skipped}`,
    limit: limit && limits ? `${shown(limits)} ${limit}` : '',
    ratio: ratios && ratios.length > 0 ? withSpread(ratios) : '',
    target: targetText(figure),
    met: met === undefined ? '' : met ? 'yes' : 'no',
  }
}

export function isMet({ target, ratios, measured }: Figure): boolean | undefined {
  if (target === undefined || measured.length === 0) return undefined
  if (target.of === 'ratio') return ratios !== undefined && spreadOf(ratios).median >= target.value
  return spreadOf(measured).median <= target.value
}

function targetText({ target, unit }: Figure): string {
  if (target === undefined) return ''
  return target.of === 'ratio' ? `≥ ${short(target.value)}` : `≤ ${inUnit(target.value, unit)}`
}

export function withSpread(values: number[]): string {
  const { median, min, max } = spreadOf(values)
  return values.length > 1 ? `${short(median)} (${short(min)}–${short(max)})` : short(median)
}

function amountOf(values: number[], unit: Unit, hasSpread: boolean): string {
  const { median, min, max } = spreadOf(values)
  if (!hasSpread || values.length < 2) return inUnit(median, unit)
  const [from, to] = [min, max].map((value) => inUnit(value, unit).replace(/[^\d.]+$/, ''))
  return `${inUnit(median, unit)} (${from}–${to})`
}

/** Formats with two significant digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return value >= 0.1 ? value.toFixed(2) : value.toPrecision(2)
}

export function inUnit(value: number, unit: Unit): string {
  if (unit === 'answers/s') return `${Math.round(value).toLocaleString('en-US')}/s`
  if (unit === 'MB') return `${Math.round(value)} MB`
  if (unit === 'times') return short(value)
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ${unit}`
}
