import type { Actor } from '../../domain/audit.ts'
import type { Device } from '../../domain/facility.ts'
import { fullId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { findRoom } from '../../storage/area.ts'
import type { Db } from '../../storage/database.ts'
import { applyFacilities } from '../apply-facilities.ts'
import { changeEstate } from '../change-estate.ts'
import { demandFacility } from './facility.ts'

/** Adds the device or brings it to what is said of it; saying it twice is the same as once. */
export function putDevice(db: Db, actor: Actor, facility: string, device: Device): Promise<Device> {
  return changeEstate(db, actor, async (application) => {
    const { devices } = await demandFacility(application.tx, facility)
    if (device.area !== null && (await findRoom(application.tx, fullId(facility, device.area))) === undefined) {
      throw new Refusal('area_not_found', `There is no area ${device.area} in this facility.`)
    }
    const at = devices.findIndex(({ id }) => id === device.id)
    const after = at === -1 ? [...devices, device] : devices.with(at, device)
    await applyFacilities(application, [{ kind: 'facility', facility: { idExternal: facility, devices: after } }])
    return device
  })
}

export function removeDevice(db: Db, actor: Actor, facility: string, id: string): Promise<Device> {
  return changeEstate(db, actor, async (application) => {
    const { devices } = await demandFacility(application.tx, facility)
    const found = devices.find((device) => device.id === id)
    if (found === undefined) throw new Refusal('device_not_found', 'There is no device with this id in the facility.')
    const after = devices.filter((device) => device !== found)
    await applyFacilities(application, [{ kind: 'facility', facility: { idExternal: facility, devices: after } }])
    return found
  })
}
