import type { EntryView } from './autocomplete-list.ts'
import { type Bytes, release, textOf } from './bytes.ts'

/** What a replacement did to a list. As many as fit are named; `complete` says whether that is all. */
export interface EntryChanges {
  added: EntryView[]
  removed: EntryView[]
  renamed: { id_external: string; old: string; new: string }[]
  complete: boolean
}

/** As the audit log keeps them. */
export interface KeptEntryChanges extends EntryChanges {
  /** Whether entries that are in both stand in another order. */
  reordered: boolean
}

/** Of each kind. */
const namedAtMost = 100

/**
 * Both as `entriesJson` writes them. They are compared as bytes, because what is the same in both, mostly all but a
 * little, then needs no objects and no texts.
 */
export function entryChanges(before: Bytes, after: Bytes, atMost = namedAtMost): EntryChanges {
  const { reordered: _reordered, ...changes } = keptEntryChanges(before, after, atMost)
  return changes
}

export function keptEntryChanges(before: Bytes, after: Bytes, atMost = namedAtMost): KeptEntryChanges {
  const old = new WrittenEntries(before)
  const now = new WrittenEntries(after)
  const added = new Named<EntryView>(atMost)
  const renamed = new Named<EntryChanges['renamed'][number]>(atMost)
  const compare = (was: number, is: number) => {
    if (old.hasNameOf(was, now, is)) return
    renamed.add(() => ({ id_external: now.id(is), old: old.name(was), new: now.name(is) }))
  }
  const shorter = Math.min(old.count, now.count)
  let head = 0
  while (head < shorter && old.hasIdOf(head, now, head)) head++
  let tail = 0
  while (tail < shorter - head && old.hasIdOf(old.count - tail - 1, now, now.count - tail - 1)) tail++

  for (let entry = 0; entry < head; entry++) compare(entry, entry)
  const left = new Map<string, number>()
  for (let entry = head; entry < old.count - tail; entry++) left.set(old.id(entry), entry)
  let reordered = false
  let last = -1
  for (let entry = head; entry < now.count - tail; entry++) {
    const id = now.id(entry)
    const was = left.get(id)
    if (was === undefined) added.add(() => now.view(entry))
    else {
      compare(was, entry)
      reordered ||= was < last
      last = was
    }
    left.delete(id)
  }
  for (let entry = tail; entry > 0; entry--) compare(old.count - entry, now.count - entry)
  const removed = new Named<EntryView>(atMost)
  for (const entry of left.values()) removed.add(() => old.view(entry))
  old.forget()
  now.forget()
  return {
    ...{ added: added.items, removed: removed.items, renamed: renamed.items },
    complete: [added, removed, renamed].every(({ isAll }) => isAll),
    reordered,
  }
}

/** The first of many. */
class Named<T> {
  readonly #atMost: number
  readonly items: T[] = []
  isAll = true

  constructor(atMost: number) {
    this.#atMost = atMost
  }

  add(item: () => T): void {
    if (this.items.length < this.#atMost) this.items.push(item())
    else this.isAll = false
  }
}

const quote = 0x22
const backslash = 0x5c
const beforeId = '{"id_external":'.length
const beforeName = ',"name":'.length
const afterName = '},'.length
const shortestBytes = beforeId + '"f-1"'.length + beforeName + '"A"'.length + afterName

/** The entries that a text has, by where they stand in it. */
class WrittenEntries {
  readonly #bytes: Bytes
  readonly count: number
  /** Where the id of an entry begins, and its name, and where that ends; with their quotes. */
  readonly #places: Int32Array<ArrayBuffer>

  constructor(bytes: Bytes) {
    const places = new Int32Array(3 * Math.ceil(bytes.length / shortestBytes))
    let place = 0
    for (let at = '['.length; at < bytes.length - ']'.length; at += afterName) {
      const id = at + beforeId
      const name = endOfText(bytes, id) + beforeName
      at = endOfText(bytes, name)
      places[place++] = id
      places[place++] = name
      places[place++] = at
    }
    this.#bytes = bytes
    this.#places = places
    this.count = place / 3
  }

  id(entry: number): string {
    return this.#text(this.#place(entry, 0), this.#place(entry, 1) - beforeName)
  }

  name(entry: number): string {
    return this.#text(this.#place(entry, 1), this.#place(entry, 2))
  }

  view(entry: number): EntryView {
    return { id_external: this.id(entry), name: this.name(entry) }
  }

  hasIdOf(entry: number, others: WrittenEntries, other: number): boolean {
    return this.#isSame(entry, others, other, 0)
  }

  hasNameOf(entry: number, others: WrittenEntries, other: number): boolean {
    return this.#isSame(entry, others, other, 1)
  }

  /** It cannot be asked afterwards. */
  forget(): void {
    release(this.#places)
  }

  #isSame(entry: number, others: WrittenEntries, other: number, part: 0 | 1): boolean {
    const [bytes, otherBytes] = [this.#bytes, others.#bytes]
    const from = this.#place(entry, part)
    const otherFrom = others.#place(other, part)
    const length = this.#place(entry, part + 1) - from
    if (others.#place(other, part + 1) - otherFrom !== length) return false
    for (let n = 0; n < length; n++) if (bytes[from + n] !== otherBytes[otherFrom + n]) return false
    return true
  }

  #place(entry: number, part: number): number {
    return this.#places[entry * 3 + part] as number
  }

  #text(from: number, to: number): string {
    return JSON.parse(textOf(this.#bytes.subarray(from, to)))
  }
}

/** Behind the quote that ends the text which begins here. */
function endOfText(bytes: Bytes, from: number): number {
  let at = from + 1
  for (; bytes[at] !== quote; at++) {
    if (bytes[at] === backslash) at++
    if (at >= bytes.length) throw new Error('this is no list as it is kept')
  }
  return at + 1
}
