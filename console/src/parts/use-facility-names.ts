import { useEffect, useState } from 'react'
import { pathWith } from '../api/client.ts'
import { useRead } from '../api/hooks.ts'
import type { Facility } from '../api/types.ts'

/** Maximum number of ids per request to the API. */
const maxIds = 200

/** Returns facility names by id: null for an unknown id, undefined while loading. */
export function useFacilityNames(ids: readonly string[]): (id: string) => string | null | undefined {
  const [names, setNames] = useState<ReadonlyMap<string, string | null>>(new Map())
  const missing = ids.filter((id) => !names.has(id)).slice(0, maxIds)
  const path = pathWith('/facilities', { ids: missing.join(','), limit: maxIds })
  const { data } = useRead<Facility[]>(path, { enabled: missing.length > 0 })
  useEffect(() => {
    if (data === undefined || missing.length === 0) return
    const found = new Map(data.data.map(({ id_external: id, name }) => [id, name]))
    setNames((before) => new Map([...before, ...missing.map((id) => [id, found.get(id) ?? null] as const)]))
  }, [data, missing])
  return (id) => names.get(id)
}
