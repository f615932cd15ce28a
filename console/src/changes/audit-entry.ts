import type { AuditAction } from '../../../src/domain/audit/audit.ts'
import { isNone, type PropertyChange } from './difference.ts'

export interface AuditEntry {
  seq: number
  at: string
  actor: { kind: string; name: string | null; token: string | null; address: string | null }
  request_id: string | null
  action: AuditAction
  facility: string | null
  partner: string | null
  subject: string | null
  /** Name of a token or key, email address of an operator, URL of a webhook. */
  subject_name: string | null
  detail: unknown
  can_undo: boolean
  /** Why the entry cannot be undone; present only in the response for a single entry. */
  undo_refused?: string | null
}

interface Named {
  id_external: string
  name: string
}

interface ListDifference {
  added?: Named[]
  removed?: Named[]
  renamed?: { id_external: string; old: string; new: string }[]
  /** Whether the entry lists all changes. */
  complete?: boolean
}

interface NamingGrant {
  partner: string
  place: number
}

export interface LoggedChange {
  key: string
  before?: unknown
  after?: unknown
  list?: ListDifference
}

interface Detail extends ListDifference {
  property?: string
  before?: unknown
  after?: unknown
  changes?: LoggedChange[]
  area_changes?: { id: string; before: object | null; after: object | null }[]
  deleted?: unknown
  changed?: { id: string; code: string; keys: string[] }[]
  from?: unknown
  to?: unknown
  undoes?: number
}

type Logged = Pick<AuditEntry, 'action' | 'detail'>

const listKey = 'areas_autocomplete_list'

/** Returns the number of the entry that an entry reverted. */
export function undoneBy({ detail }: Pick<AuditEntry, 'detail'>): number | undefined {
  return (detail as Detail | null)?.undoes
}

type LoggedIn = Logged & Partial<Pick<AuditEntry, 'facility'>>

/** Returns the changes of an entry, for every kind of action. */
export function changesOf(entry: LoggedIn): PropertyChange[] {
  return allChangesOf(entry).filter(({ before, after, fields }) => {
    const isUnknown = before === undefined && after === undefined
    return fields !== undefined || isUnknown || !(isNone(before) && isNone(after))
  })
}

function allChangesOf({ action, facility = null, detail }: LoggedIn): PropertyChange[] {
  const said = (detail ?? {}) as Detail
  if (action.startsWith('services.')) return serviceChanges(said)
  if (action === 'room.move') return [{ key: 'room', before: said.from, after: said.to }]
  if (action === 'autocomplete_list.replace') return [listChange(said, said.changes?.[0]?.before)]
  if (action === 'facility.change') return [{ key: said.property ?? '', before: said.before, after: said.after }]
  const { changes = [], area_changes: areas = [] } = said
  return [
    ...changes.flatMap((change) => {
      // A stay that only begins or ends is a fact of the entry.
      if (change.key === 'cycle' && (isNone(change.before) || isNone(change.after))) return []
      if (change.key === 'grants' && action === 'facility.remove') return lostGrants(change, facility)
      return propertyChange(change)
    }),
    ...(areas.length > 0 ? [areaChanges(areas)] : []),
  ]
}

export function propertyChange({ key, list, ...values }: LoggedChange): PropertyChange {
  return list ? listChange(list, values.before) : { key, ...values }
}

function areaChanges(areas: NonNullable<Detail['area_changes']>): PropertyChange {
  const [before, after] = (['before', 'after'] as const).map((side) =>
    areas.flatMap(({ id, [side]: fields }) => (fields === null ? [] : [{ id, ...fields }])),
  )
  return { key: 'areas', before, after }
}

/** Returns the grants of other partners that a removed facility was named in, in the form of a partner's grants. */
function lostGrants({ before }: LoggedChange, facility: string | null): PropertyChange[] {
  return ((before ?? []) as NamingGrant[]).map(({ partner, place: _, ...rights }) => {
    return { key: 'grants', about: partner, before: [{ facilities: [facility], ...rights }], after: [] }
  })
}

/** Returns the services that a change removed and added, and the names of the fields that it changed in others. */
function serviceChanges({ deleted, removed = [], changed = [], added = [] }: Detail): PropertyChange[] {
  const gone = deleted === undefined ? removed : [deleted]
  const isAny = gone.length + added.length > 0
  return [
    ...(isAny ? [{ key: 'services', before: gone, after: added }] : []),
    ...changed.map(({ code, keys }) => ({ key: 'fields', about: code, fields: keys })),
  ]
}

/** Returns removed or renamed entries, and added or renamed ones. */
function listChange(
  { added = [], removed = [], renamed = [], complete }: ListDifference,
  listBefore: unknown,
): PropertyChange {
  const named = (side: 'old' | 'new') => renamed.map(({ id_external, [side]: name }) => ({ id_external, name }))
  const [before, after] = [
    [...removed, ...named('old')],
    [...added, ...named('new')],
  ]
  const isKnown = complete === false && Array.isArray(listBefore)
  return { key: listKey, before, after, isPartial: complete === false, ...(isKnown && { listBefore }) }
}

const shownAsChange = [
  ...['property', 'before', 'after', 'changes', 'area_changes', 'deleted', 'added', 'removed', 'renamed', 'changed'],
  ...['after_tag', 'stored', 'complete', 'reordered', 'undoes'],
]

export interface Fact {
  key: string
  value: unknown
}

/** Returns the details of an entry other than changes. */
export function factsOf({ action, detail }: Logged): Fact[] {
  const hidden = action === 'room.move' ? [...shownAsChange, 'from', 'to'] : shownAsChange
  return Object.entries(detail ?? {})
    .filter(([key, value]) => !hidden.includes(key) && value !== null && value !== 0)
    .flatMap(([key, value]) => {
      if (typeof value !== 'object') return [{ key, value }]
      const labelled = (name: string) => (key === 'issued' && name === 'expires_at' ? 'issued_until' : name)
      return Object.entries(value).map(([name, member]) => ({ key: labelled(name), value: member }))
    })
    .filter(({ value }) => value !== null && !(Array.isArray(value) && value.length === 0))
}
