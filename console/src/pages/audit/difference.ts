import type { Grant } from '../../api/types.ts'
import type { PropertyChange } from './audit-entry.ts'

/** Labels of permission kinds and fields, and of "all facilities". */
export interface RightNames {
  kinds: Record<'read' | 'write' | 'rooms', string>
  fields: Record<string, string>
  all: string
  everywhere: string
  /** Labels of properties. */
  keys?: Record<string, string>
}

export interface Difference {
  removed: string[]
  added: string[]
}

/** Returns removed and added lines of a list, grant or contract; undefined for other values and reordered lists. */
export function differenceOf({ key, before, after }: PropertyChange, names: RightNames): Difference | undefined {
  const [old, now] = key === 'contract' ? [textLines(before), textLines(after)] : [before ?? [], after ?? []]
  if (!Array.isArray(old) || !Array.isArray(now)) return undefined
  const lines = (list: unknown[]) => (key === 'grants' ? rightsIn(list as Grant[], names) : list.map(lineOf))
  const [had, has] = [lines(old), lines(now)]
  const removed = had.filter((line) => !has.includes(line))
  const added = has.filter((line) => !had.includes(line))
  return removed.length + added.length === 0 ? undefined : { removed, added }
}

/** Returns one line per permission and facility. An empty grant still makes the facility visible. */
function rightsIn(grants: Grant[], { kinds, fields, all, everywhere }: RightNames): string[] {
  const lines = grants.flatMap((grant) => {
    const places = grant.facilities === '*' ? [everywhere] : grant.facilities
    const rights = (['read', 'write', 'rooms'] as const).flatMap((kind) => {
      const named = grant[kind] === '*' ? [all] : grant[kind]
      return named.map((field: string) => `${kinds[kind]} · ${fields[field] ?? field}`)
    })
    return places.flatMap((place: string) => [place, ...rights.map((right) => `${place} · ${right}`)])
  })
  return [...new Set(lines)]
}

/** Strips separators, so that a line is equal whether or not another follows. */
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

/**
 * Summarizes changes in a few words, leaving out values that are absent before and after. `labelled` joins a label and
 * its value as the language does.
 */
export function summaryOf(
  changes: PropertyChange[],
  names: RightNames,
  labelled: (label: string, text: string) => string,
): string {
  return changes
    .filter(({ before, after }) => !(isNone(before) && isNone(after)))
    .map((change) => labelled(names.keys?.[change.key] ?? change.key, shortlyOf(change, names)))
    .join(', ')
}

const maxLines = 3

function shortlyOf(change: PropertyChange, names: RightNames): string {
  const { removed, added } = differenceOf(change, names) ?? {}
  if (removed === undefined || added === undefined) {
    const { before, after } = change
    if (isNone(before)) return shortly(after)
    return `${shortly(before)} → ${isNone(after) ? '–' : shortly(after)}`
  }
  const lines = [...removed.map((line) => `− ${line}`), ...added.map((line) => `+ ${line}`)]
  return lines.slice(0, maxLines).map(shortly).join(', ') + (lines.length > maxLines ? ' …' : '')
}

function isNone(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function shortly(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 60 ? `${text.slice(0, 60)} …` : text
}
