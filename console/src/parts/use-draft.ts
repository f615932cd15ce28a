import { useCallback, useMemo, useState } from 'react'

export interface Draft<T> {
  value: T
  /** The changed properties as they were when the draft was started. */
  before: Partial<T>
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
  before?: Partial<T>
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
    (part: Partial<T>) =>
      setKept(({ changes, before }) => {
        const asFound = { ...pick(base, Object.keys(part) as (keyof T)[]), ...before }
        return keep(key, { etag: startedOn, changes: { ...changes, ...part }, before: asFound })
      }),
    [key, base, startedOn],
  )
  const discard = useCallback(
    (names?: readonly (keyof T)[], savedAs?: string) =>
      setKept(({ etag, changes, before = {} }) =>
        keep(key, { etag: savedAs ?? etag, changes: without(changes, names), before: without(before, names) }),
      ),
    [key],
  )
  const isOld = isDirty && kept === found
  return { value, before: kept.before ?? {}, etag: startedOn, isDirty, isOld, change, discard }
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
  return pick(
    value,
    names.filter((name) => !same(value[name], base[name])),
  )
}

function pick<T extends object>(value: T, names: (keyof T)[]): Partial<T> {
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Partial<T>
}
