import type { Role } from '../access/operator.ts'
import { type FacilityKey, facilityKeys } from '../estate.ts'
import type { AuditAction } from './audit.ts'
import type { AreaChange, ValueChange } from './audit-detail.ts'
import type { EntryView, LoggedEntryChanges } from './entry-changes.ts'

const service = 'This entry only reports that a service began, was about to end, or ended.'
const guest = 'The data of a guest is erased for good, so it cannot be restored.'
const secret = 'Secrets are not stored, so a revoked or deleted one cannot be restored: create a new one.'
const session = 'A sign-in or sign-out has happened and cannot be undone.'
const sandbox = 'A sandbox is restored only as a whole: reset it, or create another one.'

/** The role that is required to undo each action, or the reason why it cannot be undone. */
export const undoRules: Record<AuditAction, { role: Role } | { never: string }> = {
  'room.open': { never: guest },
  'room.close': { never: guest },
  'room.move': { never: 'Move the guest back instead.' },
  'services.add': { never: guest },
  'services.delete': { never: guest },
  'services.change': { never: guest },
  'services.replace': { never: guest },
  'service.start': { never: service },
  'service.near_end': { never: service },
  'service.end': { never: service },
  'autocomplete_list.replace': { role: 'editor' },
  'facility.change': { role: 'editor' },
  'facility.create': { role: 'admin' },
  'facility.update': { role: 'editor' },
  'facility.remove': { role: 'admin' },
  'partner.create': { role: 'admin' },
  'partner.update': { role: 'admin' },
  'partner.remove': { role: 'admin' },
  'sandbox.create': { never: sandbox },
  'sandbox.remove': { never: sandbox },
  'sandbox.clock': { never: sandbox },
  'sandbox.reset': { never: sandbox },
  'token.create': { never: 'Revoke the token instead.' },
  'token.import': { never: 'Revoke the token instead.' },
  'token.update': { role: 'admin' },
  'token.revoke': { never: secret },
  'token.rotate': { never: secret },
  'token.near_end': { never: 'This entry only reports that a token was about to end.' },
  'webhook.create': { never: 'Remove the webhook instead.' },
  'webhook.update': { never: 'Change the webhook instead: its address must accept a ping first.' },
  'webhook.remove': { never: secret },
  'webhook.rotate': { never: secret },
  'webhook.retry': { never: 'What was sent cannot be called back.' },
  'webhook.replay': { never: 'What was sent cannot be called back.' },
  'webhook.disable': { never: 'Enable the webhook instead.' },
  'operator.create': { never: 'Remove or disable the operator instead.' },
  'operator.update': { role: 'admin' },
  'operator.remove': { never: secret },
  'operator.link': { never: session },
  'operator.sign_in': { never: session },
  'operator.sign_out': { never: session },
  'key.create': { never: 'Revoke the key instead.' },
  'key.revoke': { never: secret },
  'key.rotate': { never: secret },
  'setting.change': { role: 'admin' },
  'audit.remove': { never: 'Removed entries are not in the database any more: read their export.' },
  'database.backup': { never: 'Nothing was changed. Delete the file when it is no longer needed.' },
  'database.restore': { never: 'Restore the backup that was taken before.' },
}

/** The parts of an audit entry's detail that undoing reads, including long values. */
export interface UndoDetail {
  property?: string
  before?: unknown
  after?: unknown
  changes?: ValueChange[]
  area_changes?: AreaChange[]
  areas?: number
  areas_created?: number
  areas_updated?: number
  areas_removed?: number
  after_tag?: string
}

interface FieldChange {
  key: FacilityKey
  before: unknown
  after: unknown
}

export interface ListUndo {
  /** The ETag of the list after the change. If the list has another now, it was changed again: the undo is refused. */
  afterTag: string
  /** All entries before the change; undefined if the differences, `list`, are enough to restore them. */
  before: EntryView[] | undefined
  list: LoggedEntryChanges
}

export interface FacilityUndo {
  fields: FieldChange[]
  list: ListUndo | undefined
  areas: AreaChange[]
}

const keyByName = new Map(Object.entries(facilityKeys).map(([key, name]) => [name as string, key as FacilityKey]))
const listKey = 'areas_autocomplete_list'

/** Returns undefined when the entry lacks some changes, because an earlier version of Atrium wrote it. */
export function facilityUndo(action: string, detail: UndoDetail): FacilityUndo | undefined {
  const { property = '', before, after, changes = [], area_changes: areas = [] } = detail
  if (action === 'facility.change') return complete([{ key: property, before, after }], undefined, [])
  if (action === 'autocomplete_list.replace') {
    const list = listUndo({ ...detail, list: detail as LoggedEntryChanges, before: changes[0]?.before })
    return list && complete([], list, [])
  }
  const { areas_created: created = 0, areas_updated: updated = 0, areas_removed: removed = 0 } = detail
  if (created + updated + removed !== areas.length) return undefined
  const listed = changes.find(({ key }) => key === listKey)
  const list = listed && listUndo(listed)
  if (listed !== undefined && list === undefined) return undefined
  return complete(
    changes.filter((change) => change !== listed),
    list,
    areas,
  )
}

function complete(changes: ValueChange[], list: ListUndo | undefined, areas: AreaChange[]): FacilityUndo | undefined {
  const fields = changes.flatMap(({ key, before, after }): FieldChange[] => {
    const own = keyByName.get(key)
    return own === undefined || before === undefined || after === undefined ? [] : [{ key: own, before, after }]
  })
  return fields.length === changes.length ? { fields, list, areas } : undefined
}

function listUndo({ list, before, after_tag: afterTag }: Record<string, unknown>): ListUndo | undefined {
  if (typeof afterTag !== 'string') return undefined
  return { afterTag, before: before as EntryView[] | undefined, list: list as LoggedEntryChanges }
}

/** Returns the entries of an autocomplete list as they were before a change that only added and renamed entries. */
export function entriesUndone(entries: EntryView[], { added, renamed }: LoggedEntryChanges): EntryView[] {
  const isAdded = new Set(added.map((entry) => entry.id_external))
  const old = new Map(renamed.map((entry) => [entry.id_external, entry.old]))
  return entries
    .filter((entry) => !isAdded.has(entry.id_external))
    .map((entry) => ({ ...entry, name: old.get(entry.id_external) ?? entry.name }))
}
