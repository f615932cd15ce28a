import { useCallback, useMemo, useState } from 'react'

export interface Draft<T> {
  value: T
  /** The version that the first change was made on: saved is only on top of that one. */
  etag: string | undefined
  isDirty: boolean
  /** It was begun in another visit, and found again. */
  isOld: boolean
  change(part: Partial<T>): void
  discard(): void
}

interface Kept<T> {
  etag?: string | undefined
  changes: Partial<T>
}

/** Changes that are not saved yet. They are kept in the browser, so that a closed window loses nothing. */
export function useDraft<T extends object>(name: string, base: T, etag: string | undefined): Draft<T> {
  const key = `atrium-draft:${name}`
  const [found] = useState(() => stored<T>(key))
  const [kept, setKept] = useState<Kept<T>>(found ?? { changes: {} })
  const { changes } = kept
  const value = useMemo(() => ({ ...base, ...changes }), [base, changes])
  const isDirty = Object.keys(changes).some((name) => !same(changes[name as keyof T], base[name as keyof T]))
  const begunOn = isDirty ? kept.etag : etag
  const change = useCallback(
    (part: Partial<T>) =>
      setKept((before) => {
        const next = { etag: begunOn, changes: { ...before.changes, ...part } }
        localStorage.setItem(key, JSON.stringify(next))
        return next
      }),
    [key, begunOn],
  )
  const discard = useCallback(() => {
    localStorage.removeItem(key)
    setKept({ changes: {} })
  }, [key])
  return { value, etag: begunOn, isDirty, isOld: isDirty && kept === found, change, discard }
}

function stored<T>(key: string): Kept<T> | undefined {
  const text = localStorage.getItem(key)
  return text === null ? undefined : JSON.parse(text)
}

export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
