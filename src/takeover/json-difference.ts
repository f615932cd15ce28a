import { isObject } from '../domain/json.ts'

export interface JsonDifference {
  /** Names of members from the top down. An item of a list has its id as its name. */
  path: string[]
  kind: 'changed' | 'only in A' | 'only in B' | 'order'
  a?: unknown
  b?: unknown
}

/** Matches items of lists by `id_external` or `id`; by index if an item has none or two have the same. */
export function* jsonDifferences(a: unknown, b: unknown, path: string[] = []): Generator<JsonDifference> {
  if (Array.isArray(a) && Array.isArray(b)) yield* inLists(a, b, path)
  else if (isObject(a) && isObject(b)) yield* inMembers(new Map(Object.entries(a)), new Map(Object.entries(b)), path)
  else if (!Object.is(a, b)) yield { path, kind: 'changed', a, b }
}

function* inMembers(a: Map<string, unknown>, b: Map<string, unknown>, path: string[]): Generator<JsonDifference> {
  for (const [key, value] of a) {
    const inner = [...path, key]
    if (b.has(key)) yield* jsonDifferences(value, b.get(key), inner)
    else yield { path: inner, kind: 'only in A', a: value }
  }
  for (const [key, value] of b) if (!a.has(key)) yield { path: [...path, key], kind: 'only in B', b: value }
}

function* inLists(a: unknown[], b: unknown[], path: string[]): Generator<JsonDifference> {
  const [first, second] = [byId(a), byId(b)]
  if (first === undefined || second === undefined) return yield* inMembers(byIndex(a), byIndex(b), path)
  yield* inMembers(first, second, path)
  const [common, order] = [[...first.keys()].filter((id) => second.has(id)), second.keys()].map((ids) => [...ids])
  const inB = order?.filter((id) => first.has(id)) ?? []
  if (common?.some((id, at) => id !== inB[at])) yield { path, kind: 'order' }
}

/** Returns the items by id; undefined if an item has no id or two have the same. */
function byId(items: unknown[]): Map<string, unknown> | undefined {
  const map = new Map<string, unknown>()
  for (const item of items) {
    const { id_external: full, id } = (isObject(item) ? item : {}) as Record<string, unknown>
    const key = full ?? id
    if ((typeof key !== 'string' && typeof key !== 'number') || map.has(String(key))) return undefined
    map.set(String(key), item)
  }
  return map
}

function byIndex(items: unknown[]): Map<string, unknown> {
  return new Map(items.map((item, index) => [String(index), item]))
}
