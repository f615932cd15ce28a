import { useMemo } from 'react'
import { useRead } from '../api/hooks.ts'
import type { PartnerRow } from '../api/types.ts'

/** Returns partner names by id: undefined while loading, and for unknown partners. */
export function usePartnerNames(): (id: string) => string | undefined {
  const { data } = useRead<PartnerRow[]>('/partners?limit=1000')
  return useMemo(() => {
    const names = new Map(data?.data.map(({ id, name }) => [id, name]))
    return (id) => names.get(id)
  }, [data])
}
