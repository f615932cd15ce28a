import type { ValueChange } from '../domain/audit/audit-detail.ts'
import { facilityChanges, loggedChange } from '../domain/estate-difference.ts'
import { fullId } from '../domain/identifier.ts'
import type { Area } from '../domain/room/stored-room.ts'
import { findAreas } from '../storage/estate/estate-area.ts'
import { facilitiesNamed, updateFacility } from '../storage/estate/estate-facility.ts'
import type { EstateContext, FacilityPair } from './estate/estate-context.ts'

/**
 * Adds a fault for each device whose room does not exist in its facility. Must run after the areas of the file are
 * applied, because devices can be in areas that the file adds.
 */
export async function checkDeviceRooms({ tx, faults }: EstateContext, pairs: FacilityPair[]): Promise<void> {
  const placed = pairs.flatMap(({ item, facility, isNew, differences }) => {
    const isChanged = isNew || differences.some(({ changes }) => changes.some(({ key }) => key === 'devices'))
    const devices = isChanged ? (item.facility.devices ?? []) : []
    return devices.flatMap(({ id, area }) => (area === null ? [] : [{ id, facility, short: area, line: item.line }]))
  })
  if (placed.length === 0) return
  const present = new Set(
    [...(await findAreas(tx, placed)).values()].flat().map(({ facilityId, short }) => `${facilityId} ${short}`),
  )
  for (const { id, facility, short, line } of placed) {
    if (present.has(`${facility.id} ${short}`)) continue
    const known = `the facility has no area "${short}" (${fullId(facility.idExternal, short)})`
    faults.add({ line, message: `facility ${facility.idExternal}: device "${id}" is in an unknown room: ${known}` })
  }
}

/** Takes the devices out of removed areas of one facility. Returns the changed values, for the audit entry. */
export async function clearDeviceRooms({ tx, now }: EstateContext, areas: Area[]): Promise<ValueChange[]> {
  const [facility] = await facilitiesNamed(tx, [areas[0]?.facility ?? ''])
  const gone = new Set(areas.map(({ short }) => short))
  if (facility === undefined || !facility.devices.some(({ area }) => area !== null && gone.has(area))) return []
  const devices = facility.devices.map((device) => {
    return device.area !== null && gone.has(device.area) ? { ...device, area: null } : device
  })
  const { changes } = facilityChanges(facility, { idExternal: facility.idExternal, devices })
  await updateFacility(tx, facility.id, { devices, dateUpdated: now })
  return changes.map(loggedChange)
}
