import { useState } from 'react'
import { type ApiResponse, call, type Method } from '../api/client.ts'
import { useChange, useInvalidate } from '../api/hooks.ts'
import { useWords } from '../app/language.tsx'
import { notify } from './problem.tsx'
import type { Draft } from './use-draft.ts'
import { common } from './words.ts'

export interface Saving<T> {
  save(body: object): void
  isPending: boolean
  error: unknown
  /** The version saved by another operator in the meantime, and the draft. */
  conflict: { theirs: ApiResponse<T>; mine: object } | undefined
  overwrite(): void
  /** Discards the draft in favor of the saved version. */
  discardMine(): void
  /** Closes the conflict and keeps the draft. */
  closeConflict(): void
}

/** Saves a draft with `If-Match`: only on top of the version on which it was started. */
export function useSave<T>(
  method: Method,
  path: string,
  stale: string[],
  draft: Pick<Draft<never>, 'etag' | 'discard'>,
): Saving<T> {
  const { saved } = useWords(common)
  const invalidate = useInvalidate(stale)
  const [conflict, setConflict] = useState<Saving<T>['conflict']>()
  const change = useChange<T>(stale, ({ etag }) => {
    draft.discard(undefined, etag)
    notify(saved)
  })
  const send = (body: object, ifMatch: string | undefined) =>
    change.mutate(
      { method, path, body, ifMatch },
      {
        onError: async (error) => {
          if (error.status === 412) setConflict({ theirs: await call<T>('GET', path), mine: body })
        },
      },
    )
  const closeConflict = () => {
    setConflict(undefined)
    change.reset()
  }
  return {
    save: (body) => send(body, draft.etag),
    isPending: change.isPending,
    error: change.error?.status === 412 ? undefined : change.error,
    conflict,
    overwrite: () => {
      if (conflict) send(conflict.mine, conflict.theirs.etag)
      setConflict(undefined)
    },
    discardMine: () => {
      draft.discard()
      closeConflict()
      void invalidate()
    },
    closeConflict,
  }
}
