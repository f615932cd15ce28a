import { useEffect, useState } from 'react'
import { call, segment } from '../../api/client.ts'
import type { Device, Facility } from '../../api/types.ts'
import { loadFacility, type OfflineFacility, storeFacility } from './offline-store.ts'

/** Returns list and devices of a facility from the server, or the stored copy when offline. */
export function useFacility(id: string | undefined) {
  const [facility, setFacility] = useState<OfflineFacility>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    let isCurrent = true
    setFacility(undefined)
    setError(undefined)
    if (id === undefined) return
    load(id).then(
      (found) => isCurrent && setFacility(found),
      (problem: unknown) => isCurrent && setError(problem),
    )
    return () => {
      isCurrent = false
    }
  }, [id])
  const place = (device: Device) => {
    if (facility === undefined) return
    const others = facility.devices.filter((one) => one.id !== device.id)
    const known = { ...facility, devices: [...others, device] }
    setFacility(known)
    void storeFacility(known)
  }
  return { facility, error, place }
}

async function load(id: string): Promise<OfflineFacility> {
  const path = `/facilities/${segment(id)}`
  try {
    const [{ data: facility }, { data: list }] = await Promise.all([
      call<Facility>('GET', path),
      call<{ entries: { id: string; name: string }[] }>('GET', `${path}/list`),
    ])
    const entries = list.entries.map(({ id: room, name }) => ({ id: room, name }))
    const kept = { id, name: facility.name, type: facility.type, entries, devices: facility.devices ?? [] }
    await storeFacility(kept)
    return kept
  } catch (error) {
    const kept = await loadFacility(id)
    if (kept === undefined) throw error
    return kept
  }
}
