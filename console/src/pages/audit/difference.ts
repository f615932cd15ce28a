import type { Grant } from '../../api/types.ts'
import type { PropertyChange } from './audit-entry.ts'

/** What the planes and fields of rights, and all facilities, are called. */
export interface RightNames {
  planes: Record<'read' | 'write' | 'rooms', string>
  fields: Record<string, string>
  all: string
  everywhere: string
  /** Labels of what can change. */
  keys?: Record<string, string>
}

export interface Difference {
  removed: string[]
  added: string[]
}

/** Of a change of lists, rights or a contract what went and what came, a line each; undefined for what is no list, or in another order. */
export function differenceOf({ key, before, after }: PropertyChange, names: RightNames): Difference | undefined {
  const [old, now] = key === 'contract' ? [textLines(before), textLines(after)] : [before ?? [], after ?? []]
  if (!Array.isArray(old) || !Array.isArray(now)) return undefined
  const lines = (list: unknown[]) => (key === 'grants' ? rightsIn(list as Grant[], names) : list.map(lineOf))
  const [had, has] = [lines(old), lines(now)]
  const removed = had.filter((line) => !has.includes(line))
  const added = has.filter((line) => !had.includes(line))
  return removed.length + added.length === 0 ? undefined : { removed, added }
}

/** One line for each right on each facility. A grant of nothing still lets the facility be seen. */
function rightsIn(grants: Grant[], { planes, fields, all, everywhere }: RightNames): string[] {
  const lines = grants.flatMap((grant) => {
    const places = grant.facilities === '*' ? [everywhere] : grant.facilities
    const rights = (['read', 'write', 'rooms'] as const).flatMap((plane) => {
      const named = grant[plane] === '*' ? [all] : grant[plane]
      return named.map((field: string) => `${planes[plane]} · ${fields[field] ?? field}`)
    })
    return places.flatMap((place: string) => [place, ...rights.map((right) => `${place} · ${right}`)])
  })
  return [...new Set(lines)]
}

/** Without what only separates them, so that a line is the same when another comes behind it. */
function textLines(contract: unknown): string[] {
  if (contract === null || contract === undefined) return []
  return JSON.stringify(contract, null, 2)
    .split('\n')
    .map((line) => line.trim().replace(/,$/, ''))
}

function lineOf(value: unknown): string {
  if (typeof value === 'string') return value
  const { id_external: id, name, ...rest } = (value ?? {}) as Record<string, unknown>
  return typeof id === 'string' && Object.keys(rest).length === 0 ? `${id} · ${name}` : JSON.stringify(value)
}

/** Changes in a few words. What is none before and after says nothing. */
export function summaryOf(changes: PropertyChange[], names: RightNames): string {
  return changes
    .filter(({ before, after }) => !(isNone(before) && isNone(after)))
    .map((change) => `${names.keys?.[change.key] ?? change.key}: ${shortlyOf(change, names)}`)
    .join(', ')
}

const linesAtMost = 3

function shortlyOf(change: PropertyChange, names: RightNames): string {
  const { removed, added } = differenceOf(change, names) ?? {}
  if (removed === undefined || added === undefined) {
    const { before, after } = change
    if (isNone(before)) return shortly(after)
    return `${shortly(before)} → ${isNone(after) ? '–' : shortly(after)}`
  }
  const lines = [...removed.map((line) => `− ${line}`), ...added.map((line) => `+ ${line}`)]
  return lines.slice(0, linesAtMost).map(shortly).join(', ') + (lines.length > linesAtMost ? ' …' : '')
}

function isNone(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function shortly(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 60 ? `${text.slice(0, 60)} …` : text
}
