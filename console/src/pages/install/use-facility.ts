import { useEffect, useState } from 'react'
import { call, segment } from '../../api/client.ts'
import type { Device, Facility } from '../../api/types.ts'
import { type KeptFacility, keepFacility, keptFacility } from './offline-store.ts'

/** The list and the devices of a facility: from the server, or as they were when there was a network. */
export function useFacility(id: string | undefined) {
  const [facility, setFacility] = useState<KeptFacility>()
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
    void keepFacility(known)
  }
  return { facility, error, place }
}

async function load(id: string): Promise<KeptFacility> {
  const path = `/facilities/${segment(id)}`
  try {
    const [{ data: facility }, { data: list }] = await Promise.all([
      call<Facility>('GET', path),
      call<{ entries: { id: string; name: string }[] }>('GET', `${path}/list`),
    ])
    const entries = list.entries.map(({ id: room, name }) => ({ id: room, name }))
    const kept = { id, name: facility.name, type: facility.type, entries, devices: facility.devices ?? [] }
    await keepFacility(kept)
    return kept
  } catch (error) {
    const kept = await keptFacility(id)
    if (kept === undefined) throw error
    return kept
  }
}
