import { useCallback, useMemo, useState } from 'react'

export interface Draft<T> {
  value: T
  isDirty: boolean
  /** It was begun in another visit, and found again. */
  isOld: boolean
  change(part: Partial<T>): void
  discard(): void
}

/** Changes that are not saved yet. They are kept in the browser, so that a closed window loses nothing. */
export function useDraft<T extends object>(name: string, base: T): Draft<T> {
  const key = `atrium-draft:${name}`
  const [found] = useState(() => stored<T>(key))
  const [changes, setChanges] = useState<Partial<T>>(found ?? {})
  const value = useMemo(() => ({ ...base, ...changes }), [base, changes])
  const isDirty = Object.keys(changes).some((name) => !same(changes[name as keyof T], base[name as keyof T]))
  const change = useCallback(
    (part: Partial<T>) =>
      setChanges((before) => {
        const next = { ...before, ...part }
        localStorage.setItem(key, JSON.stringify(next))
        return next
      }),
    [key],
  )
  const discard = useCallback(() => {
    localStorage.removeItem(key)
    setChanges({})
  }, [key])
  return { value, isDirty, isOld: isDirty && changes === found, change, discard }
}

function stored<T>(key: string): Partial<T> | undefined {
  const text = localStorage.getItem(key)
  return text === null ? undefined : JSON.parse(text)
}

export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
