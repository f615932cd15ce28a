import { useEffect, useState } from 'react'
import { pathWith } from '../api/client.ts'
import { useRead } from '../api/hooks.ts'
import type { Facility } from '../api/types.ts'

/** As many as the API looks up at once. */
const atOnce = 200

/** The names of facilities by their ids: null for an id that no facility has, undefined until that is known. */
export function useFacilityNames(ids: readonly string[]): (id: string) => string | null | undefined {
  const [names, setNames] = useState<ReadonlyMap<string, string | null>>(new Map())
  const asked = ids.filter((id) => !names.has(id)).slice(0, atOnce)
  const path = pathWith('/facilities', { ids: asked.join(','), limit: atOnce })
  const { data } = useRead<Facility[]>(path, { enabled: asked.length > 0 })
  useEffect(() => {
    if (data === undefined || asked.length === 0) return
    const found = new Map(data.data.map(({ id_external: id, name }) => [id, name]))
    setNames((before) => new Map([...before, ...asked.map((id) => [id, found.get(id) ?? null] as const)]))
  }, [data, asked])
  return (id) => names.get(id)
}
