import { useCallback, useMemo, useState } from 'react'

export interface Draft<T> {
  value: T
  /** ETag of the version that the draft was started on; sent as If-Match. */
  etag: string | undefined
  isDirty: boolean
  /** Whether the draft was restored from an earlier visit. */
  isOld: boolean
  change(part: Partial<T>): void
  /** Discards all changes, or those of some properties; the others are rebased on the last saved version. */
  discard(names?: readonly (keyof T)[], savedAs?: string): void
}

interface Kept<T> {
  etag?: string | undefined
  changes: Partial<T>
}

/** Unsaved changes. They are stored in the browser, so that closing the window loses nothing. */
export function useDraft<T extends object>(name: string, base: T, etag: string | undefined): Draft<T> {
  const key = `atrium-draft:${name}`
  const [found] = useState(() => stored<T>(key))
  const [kept, setKept] = useState<Kept<T>>(found ?? { changes: {} })
  const { changes } = kept
  const value = useMemo(() => ({ ...base, ...changes }), [base, changes])
  const isDirty = Object.keys(changes).some((name) => !same(changes[name as keyof T], base[name as keyof T]))
  const startedOn = isDirty ? kept.etag : etag
  const change = useCallback(
    (part: Partial<T>) => setKept((before) => keep(key, { etag: startedOn, changes: { ...before.changes, ...part } })),
    [key, startedOn],
  )
  const discard = useCallback(
    (names?: readonly (keyof T)[], savedAs?: string) =>
      setKept((before) => keep(key, { etag: savedAs ?? before.etag, changes: without(before.changes, names) })),
    [key],
  )
  return { value, etag: startedOn, isDirty, isOld: isDirty && kept === found, change, discard }
}

/** The part of a draft that belongs to one of several forms, which saves and discards only that part. */
export function draftPart<T extends object, K extends keyof T>(
  draft: Draft<T>,
  base: T,
  names: readonly K[],
): Draft<Pick<T, K>> {
  const isDirty = names.some((name) => !same(draft.value[name], base[name]))
  return {
    ...draft,
    isDirty,
    isOld: draft.isOld && isDirty,
    change: (part) => draft.change(part as Partial<T>),
    discard: (some = names, savedAs) => draft.discard(some, savedAs),
  }
}

function without<T extends object>(changes: Partial<T>, names?: readonly (keyof T)[]): Partial<T> {
  if (names === undefined) return {}
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !names.includes(name as keyof T))) as Partial<T>
}

function keep<T>(key: string, kept: Kept<T>): Kept<T> {
  if (Object.keys(kept.changes).length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(kept))
  return kept
}

function stored<T>(key: string): Kept<T> | undefined {
  const text = localStorage.getItem(key)
  return text === null ? undefined : JSON.parse(text)
}

export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Returns the changed properties. */
export function changedIn<T extends object>(value: T, base: T, names = Object.keys(base) as (keyof T)[]): Partial<T> {
  const changed = names.filter((name) => !same(value[name], base[name]))
  return Object.fromEntries(changed.map((name) => [name, value[name]])) as Partial<T>
}
