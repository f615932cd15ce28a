import { useState } from 'react'
import { type ApiResponse, call, type Method } from '../api/client.ts'
import { useChange, useInvalidate } from '../api/hooks.ts'
import { useWords } from '../app/language.tsx'
import { notify } from './problem.tsx'
import { type Draft, same } from './use-draft.ts'
import { common } from './words.ts'

export interface Conflict<T> {
  /** The version saved by another operator in the meantime. */
  theirs: ApiResponse<T>
  /** The changes of the draft, as they are sent. */
  mine: Values
  /** The values of the changed properties when the draft was started. */
  before: Values
  /** Names of the properties that both have changed. */
  names: string[]
}

type Values = Record<string, unknown>

export interface Saving<T> {
  save(body: object): void
  path: string
  isPending: boolean
  error: unknown
  conflict: Conflict<T> | undefined
  overwrite(): void
  /** Discards those changes of the draft that conflict with the saved version. */
  discardMine(): void
  /** Closes the conflict and keeps the draft. */
  closeConflict(): void
}

interface StartedDraft extends Pick<Draft<object>, 'etag'> {
  before: object
  discard(names?: readonly never[], savedAs?: string): void
}

/**
 * Saves a draft with `If-Match`: only on top of the version on which it was started, or of one in which others have
 * changed other properties.
 */
export function useSave<T>(method: Method, path: string, stale: string[], draft: StartedDraft): Saving<T> {
  const { saved } = useWords(common)
  const invalidate = useInvalidate(stale)
  const [conflict, setConflict] = useState<Conflict<T>>()
  const change = useChange<T>(stale, ({ etag }) => {
    draft.discard(undefined, etag)
    notify(saved)
  })
  const send = (body: object, ifMatch: string | undefined) =>
    change.mutate(
      { method, path, body, ifMatch },
      {
        onError: async (error) => {
          if (error.status !== 412) return
          const found = conflictOf(body as Values, draft.before as Values, await call<T>('GET', path))
          if (found.names.length > 0) setConflict(found)
          else send(body, found.theirs.etag)
        },
      },
    )
  const closeConflict = () => {
    setConflict(undefined)
    change.reset()
  }
  return {
    save: (body) => send(body, draft.etag),
    path,
    isPending: change.isPending,
    error: change.error?.status === 412 ? undefined : change.error,
    conflict,
    overwrite: () => {
      if (conflict) send(conflict.mine, conflict.theirs.etag)
      setConflict(undefined)
    },
    discardMine: () => {
      draft.discard(conflict?.names as never[], conflict?.theirs.etag)
      closeConflict()
      void invalidate()
    },
    closeConflict,
  }
}

function conflictOf<T>(mine: Values, before: Values, theirs: ApiResponse<T>): Conflict<T> {
  const saved = theirs.data as Values
  const names = Object.keys(mine).filter((name) => !same(saved[name], before[name]) && !same(saved[name], mine[name]))
  return { theirs, mine, before, names }
}
