import { type Bytes, textOf } from '../bytes.ts'

/** An entry of an autocomplete list as responses show it, with its full id. */
export interface EntryView {
  id_external: string
  name: string
}

/** `complete` is false when one of the arrays was cut off at its maximum length. */
export interface EntryChanges {
  added: EntryView[]
  removed: EntryView[]
  renamed: { id_external: string; old: string; new: string }[]
  complete: boolean
}

/** The differences as the audit log records them. Most changes can be undone from these. */
export interface LoggedEntryChanges extends EntryChanges {
  /** Whether the entries that both lists contain have another order. */
  reordered: boolean
}

/** The maximum length of each of the arrays with added, removed and renamed entries. */
const maxPerKind = 100

/** Compares two autocomplete lists, each as the JSON that `entriesJson` returns. */
export function entryChanges(before: Bytes, after: Bytes, atMost = maxPerKind): EntryChanges {
  const { reordered: _reordered, ...changes } = loggedEntryChanges(before, after, atMost)
  return changes
}

export function loggedEntryChanges(before: Bytes, after: Bytes, atMost = maxPerKind): LoggedEntryChanges {
  const added = new BoundedList<EntryView>(atMost)
  const renamed = new BoundedList<EntryChanges['renamed'][number]>(atMost)
  const removed = new BoundedList<EntryView>(atMost)
  const left = new Map(entriesIn(before).map((entry, index) => [entry.id_external, { entry, index }]))
  let reordered = false
  let last = -1
  for (const entry of entriesIn(after)) {
    const { id_external, name } = entry
    const was = left.get(id_external)
    if (was === undefined) added.add(entry)
    else {
      if (was.entry.name !== name) renamed.add({ id_external, old: was.entry.name, new: name })
      reordered ||= was.index < last
      last = was.index
    }
    left.delete(id_external)
  }
  for (const { entry } of left.values()) removed.add(entry)
  return {
    ...{ added: added.items, removed: removed.items, renamed: renamed.items },
    complete: [added, removed, renamed].every(({ isAll }) => isAll),
    reordered,
  }
}

function entriesIn(json: Bytes): EntryView[] {
  return JSON.parse(textOf(json))
}

/** Keeps only the first items; `isAll` is false once an item was dropped. */
class BoundedList<T> {
  readonly #atMost: number
  readonly items: T[] = []
  isAll = true

  constructor(atMost: number) {
    this.#atMost = atMost
  }

  add(item: T): void {
    if (this.items.length < this.#atMost) this.items.push(item)
    else this.isAll = false
  }
}
