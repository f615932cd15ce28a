import { useState } from 'react'
import { type Answer, call, type Method } from '../api/client.ts'
import { useChange, useReadAgain } from '../api/hooks.ts'
import { useWords } from '../app/language.tsx'
import { tell } from './problem.tsx'
import type { Draft } from './use-draft.ts'
import { common } from './words.ts'

export interface Saving<T> {
  save(body: object): void
  isPending: boolean
  error: unknown
  /** What somebody else made of it meanwhile, and what was to be saved. */
  conflict: { theirs: Answer<T>; mine: object } | undefined
  overwrite(): void
  /** Takes what is there. */
  giveUp(): void
  /** The draft stays, to be looked at again. */
  decideLater(): void
}

/** Saves a draft, and only on top of the version that it was begun on. */
export function useSave<T>(
  method: Method,
  path: string,
  stale: string[],
  draft: Pick<Draft<never>, 'etag' | 'discard'>,
): Saving<T> {
  const { saved } = useWords(common)
  const readAgain = useReadAgain(stale)
  const [conflict, setConflict] = useState<Saving<T>['conflict']>()
  const change = useChange<T>(stale, ({ etag }) => {
    draft.discard(undefined, etag)
    tell(saved)
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
  const decideLater = () => {
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
    giveUp: () => {
      draft.discard()
      decideLater()
      void readAgain()
    },
    decideLater,
  }
}
