import type { AuditAction } from '../../../../src/domain/audit/audit.ts'

export interface AuditEntry {
  seq: number
  at: string
  actor: { kind: string; name: string | null; token: string | null; address: string | null }
  request_id: string | null
  action: AuditAction
  facility: string | null
  partner: string | null
  subject: string | null
  detail: unknown
  can_undo: boolean
  /** Why the entry cannot be undone; present only in the response for a single entry. */
  undo_refused?: string | null
}

/** A changed value; for lists, rooms and grants, the removed and the added items. */
export interface PropertyChange {
  key: string
  before: unknown
  after: unknown
}

interface Named {
  id_external: string
  name: string
}

interface ListChange {
  added?: Named[]
  removed?: Named[]
  renamed?: { id_external: string; old: string; new: string }[]
}

interface ListDifference extends ListChange {
  /** Whether the entry lists all changes. */
  complete?: boolean
}

interface Detail extends ListDifference {
  property?: string
  before?: unknown
  after?: unknown
  changes?: (Partial<PropertyChange> & { key: string; list?: ListDifference })[]
  area_changes?: { id: string; before: unknown; after: unknown }[]
  deleted?: unknown
  changed?: { id: string; code: string; keys: string[] }[]
}

const listKey = 'areas_autocomplete_list'

/** Returns the changes of an entry, for every kind of action. */
export function changesOf({ action, detail }: Pick<AuditEntry, 'action' | 'detail'>): PropertyChange[] {
  const said = (detail ?? {}) as Detail
  const { property, before, after, changes = [], area_changes: areas = [] } = said
  if (action === 'autocomplete_list.replace') return [listChange(said, changes[0]?.before)]
  if (action === 'services.add' && detail !== null) return [{ key: 'services', before: [], after: said.added }]
  if (action === 'services.delete' && detail !== null) return [{ key: 'services', before: [said.deleted], after: [] }]
  if (action === 'services.change' || action === 'services.replace') return serviceChanges(said)
  return [
    ...(property === undefined ? [] : [{ key: property, before, after }]),
    ...changes.map(({ key, before, after, list }) => (list ? listChange(list, before) : { key, before, after })),
    ...areas.map(({ id, before, after }) => ({ key: id, before, after })),
  ]
}

/** Returns the services that a change removed and added, and the names of the fields that it changed in others. */
function serviceChanges({ removed = [], changed = [], added = [] }: Detail): PropertyChange[] {
  const isWhole = removed.length + added.length > 0
  const fields = changed.map(({ id, code, keys }) => {
    // Names of the partner's own fields are stored as hashes.
    const own = keys.filter((key) => key.startsWith('#')).length
    const named = keys.filter((key) => !key.startsWith('#'))
    return { key: `${code} ${id}`, before: undefined, after: own > 0 ? [...named, `+${own}`] : named }
  })
  return [...(isWhole ? [{ key: 'services', before: removed, after: added }] : []), ...fields]
}

/** Returns removed or renamed entries, and added or renamed ones; if not all are listed, the whole previous list. */
function listChange(
  { added = [], removed = [], renamed = [], complete }: ListDifference,
  all: unknown,
): PropertyChange {
  const named = (side: 'old' | 'new') => renamed.map(({ id_external, [side]: name }) => ({ id_external, name }))
  const before = complete === false ? all : [...removed, ...named('old')]
  return { key: listKey, before, after: [...added, ...named('new')] }
}

const shownAsChange = [
  ...['property', 'before', 'after', 'changes', 'area_changes', 'deleted', 'added', 'removed', 'renamed'],
  ...['after_tag', 'stored', 'complete'],
]

/** Returns the details of an entry other than changes; undefined when there are none. */
export function remarksOf({ detail }: Pick<AuditEntry, 'detail'>): object | undefined {
  const rest = Object.entries(detail ?? {}).filter(([key]) => !shownAsChange.includes(key))
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}
