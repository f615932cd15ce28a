import type { Grant } from '../../api/types.ts'
import type { PropertyChange } from './audit-entry.ts'

/** What the planes and fields of rights, and all facilities, are called. */
export interface RightNames {
  planes: Record<'read' | 'write' | 'rooms', string>
  fields: Record<string, string>
  all: string
}

export interface Difference {
  removed: string[]
  added: string[]
}

/** Of a change of lists or rights what went and what came, a line each; undefined for what is no list, or in another order. */
export function differenceOf({ key, before, after }: PropertyChange, names: RightNames): Difference | undefined {
  const [old, now] = [before ?? [], after ?? []]
  if (!Array.isArray(old) || !Array.isArray(now)) return undefined
  const lines = (list: unknown[]) => (key === 'grants' ? rightsIn(list as Grant[], names) : list.map(lineOf))
  const [had, has] = [lines(old), lines(now)]
  const removed = had.filter((line) => !has.includes(line))
  const added = has.filter((line) => !had.includes(line))
  return removed.length + added.length === 0 ? undefined : { removed, added }
}

/** One line for each right on each facility. A grant of nothing still lets the facility be seen. */
function rightsIn(grants: Grant[], { planes, fields, all }: RightNames): string[] {
  const lines = grants.flatMap((grant) => {
    const places = grant.facilities === '*' ? [all] : grant.facilities
    const rights = (['read', 'write', 'rooms'] as const).flatMap((plane) => {
      const named = grant[plane] === '*' ? [all] : grant[plane]
      return named.map((field: string) => `${planes[plane]}: ${fields[field] ?? field}`)
    })
    return places.flatMap((place: string) => [place, ...rights.map((right) => `${place} · ${right}`)])
  })
  return [...new Set(lines)]
}

function lineOf(value: unknown): string {
  if (typeof value === 'string') return value
  const { id_external: id, name, ...rest } = (value ?? {}) as Record<string, unknown>
  return typeof id === 'string' && Object.keys(rest).length === 0 ? `${id} · ${name}` : JSON.stringify(value)
}

/** A change in a few words. */
export function summaryOf(change: PropertyChange, names: RightNames): string {
  const difference = differenceOf(change, names)
  if (difference === undefined) return `${change.key}: ${shortly(change.before)} → ${shortly(change.after)}`
  const { removed, added } = difference
  return `${change.key}: ${[...removed.map((line) => `− ${line}`), ...added.map((line) => `+ ${line}`)].map(shortly).slice(0, 3).join(', ')}${removed.length + added.length > 3 ? ' …' : ''}`
}

function shortly(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 60 ? `${text.slice(0, 60)} …` : text
}
