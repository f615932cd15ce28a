import type { Actor } from '../../domain/audit/audit.ts'
import type { Device } from '../../domain/facility.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Db } from '../../storage/database.ts'
import { findExistingAreas } from '../estate/apply-areas.ts'
import { applyFacilities } from '../estate/apply-facilities.ts'
import { changeEstate } from '../estate/change-estate.ts'
import { requireFacility } from './facility.ts'

export function putDevice(db: Db, actor: Actor, facility: string, device: Device): Promise<Device> {
  return changeEstate(db, actor, async (context) => {
    const { devices, ...known } = await requireFacility(context.tx, facility)
    const isKnown = device.area === null || (await findExistingAreas(context.tx, known, [device.area])).size > 0
    if (!isKnown) {
      throw new Refusal('area_not_found', `There is no area ${device.area} in this facility.`)
    }
    const at = devices.findIndex(({ id }) => id === device.id)
    const after = at === -1 ? [...devices, device] : devices.with(at, device)
    await applyFacilities(context, [{ kind: 'facility', facility: { idExternal: facility, devices: after } }])
    return device
  })
}

export function removeDevice(db: Db, actor: Actor, facility: string, id: string): Promise<Device> {
  return changeEstate(db, actor, async (context) => {
    const { devices } = await requireFacility(context.tx, facility)
    const found = devices.find((device) => device.id === id)
    if (found === undefined) throw new Refusal('device_not_found', 'There is no device with this id in the facility.')
    const after = devices.filter((device) => device !== found)
    await applyFacilities(context, [{ kind: 'facility', facility: { idExternal: facility, devices: after } }])
    return found
  })
}
