/** A changed value; for lists and rooms, the removed and the added items. A value that is left out is not known. */
export interface PropertyChange {
  key: string
  /** What the property belongs to, if the change is of several. */
  about?: string
  before?: unknown
  after?: unknown
  /** Names of changed fields whose values are not stored. */
  fields?: string[]
  /** Whether there are further changes, which are not listed. */
  isPartial?: boolean
  /** The whole list before a change that is not listed in full. */
  listBefore?: unknown[]
}

export interface DifferenceLine {
  sign: '−' | '+'
  /** Names of the members that lead to the value; empty for the value itself. */
  path: string[]
  value: unknown
}

interface Options {
  /** Whether the values are JSON of others, such as a contract, in which null and empty containers count. */
  isExact: boolean
}

/** Returns what a change removed and added, member by member; the items of a list are compared by their ids. */
export function linesOf({ key, before, after }: PropertyChange): DifferenceLine[] {
  return compare(before ?? undefined, after ?? undefined, [], { isExact: key === 'contract' })
}

function compare(was: unknown, is: unknown, path: string[], options: Options): DifferenceLine[] {
  const { isExact } = options
  const [before, after] = isExact ? [was, is] : [was ?? undefined, is ?? undefined]
  if (same(before, after)) return []
  if (isList(before) && isList(after)) {
    const lines = compareLists(before ?? [], after ?? [], path, options)
    if (lines.length > 0 || !isExact) return lines
  }
  if (isObject(before) && isObject(after)) {
    const [old, now] = [before ?? {}, after ?? {}]
    const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    const lines = keys.flatMap((key) => compare(old[key], now[key], [...path, key], options))
    if (lines.length > 0 || !isExact || (before && after)) return lines
  }
  return [
    ...(before === undefined ? [] : [{ sign: '−' as const, path, value: before }]),
    ...(after === undefined ? [] : [{ sign: '+' as const, path, value: after }]),
  ]
}

function compareLists(before: unknown[], after: unknown[], path: string[], options: Options): DifferenceLine[] {
  const all = [...before, ...after]
  if (!options.isExact && all.every((item) => idOf(item) !== undefined))
    return compareItems(before, after, path, options)
  if (all.every((item) => !isContainer(item))) {
    return [
      ...without(before, after).map((value) => ({ sign: '−' as const, path, value })),
      ...without(after, before).map((value) => ({ sign: '+' as const, path, value })),
    ]
  }
  const longest = before.length > after.length ? before : after
  return longest.flatMap((_, at) => compare(before[at], after[at], [...path, String(at)], options))
}

/** Compares items with ids: a removed or an added one is a single line. */
function compareItems(before: unknown[], after: unknown[], path: string[], options: Options): DifferenceLine[] {
  const [had, has] = [before, after].map((items) => new Map(items.map((item) => [idOf(item) ?? '', item]))) as Items
  const removed = [...had].filter(([id]) => !has.has(id)).map(([, value]) => ({ sign: '−' as const, path, value }))
  const changed = [...has].flatMap(([id, item]) => {
    return had.has(id)
      ? compare(had.get(id), item, [...path, id], options)
      : [{ sign: '+' as const, path, value: item }]
  })
  return [...removed, ...changed]
}

type Items = [Map<string, unknown>, Map<string, unknown>]

function idOf(item: unknown): string | undefined {
  const { id_external, id = id_external } = (isContainer(item) ? item : {}) as Record<string, unknown>
  return typeof id === 'string' ? id : undefined
}

/** Returns the items of a list that another does not have, as often as they are missing there. */
function without(list: unknown[], other: unknown[]): unknown[] {
  const left = other.map((item) => JSON.stringify(item))
  return list.filter((item) => {
    const at = left.indexOf(JSON.stringify(item))
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
/** A missing list or object is compared like an empty one. */
const isList = (value: unknown): value is unknown[] | undefined => value === undefined || Array.isArray(value)
const isObject = (value: unknown): value is Record<string, unknown> | undefined =>
  value === undefined || (isContainer(value) && !Array.isArray(value))

export function isNone(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
