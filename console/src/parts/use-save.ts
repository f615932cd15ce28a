import { useState } from 'react'
import { type Answer, call, type Method } from '../api/client.ts'
import { useChange } from '../api/hooks.ts'

export interface Saving<T> {
  save(body: object, etag: string | undefined): void
  isPending: boolean
  error: unknown
  /** What somebody else made of it meanwhile, and what was to be saved. */
  conflict: { theirs: Answer<T>; mine: object } | undefined
  overwrite(): void
  giveUp(): void
}

/** Saves only on top of the version that was shown. */
export function useSave<T>(method: Method, path: string, stale: string[], onSaved: () => void): Saving<T> {
  const change = useChange<T>(stale, onSaved)
  const [conflict, setConflict] = useState<Saving<T>['conflict']>()
  const save = (body: object, ifMatch: string | undefined) =>
    change.mutate(
      { method, path, body, ifMatch },
      {
        onError: async (error) => {
          if (error.status === 412) setConflict({ theirs: await call<T>('GET', path), mine: body })
        },
      },
    )
  return {
    save,
    isPending: change.isPending,
    error: conflict ? undefined : change.error,
    conflict,
    overwrite: () => {
      if (conflict) save(conflict.mine, conflict.theirs.etag)
      setConflict(undefined)
    },
    giveUp: () => {
      setConflict(undefined)
      change.reset()
      onSaved()
    },
  }
}
