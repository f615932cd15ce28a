import type { EstateItem, EstateReceiver } from '../../domain/estate.ts'
import type { Device, Facility } from '../../domain/facility.ts'
import type { Area } from '../../domain/room/stored-room.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { areasOf } from '../../storage/estate/estate-area.ts'
import { facilitiesAfter, listsOf } from '../../storage/estate/estate-facility.ts'
import { findPartnerWithGrants, partnerIdsAfter } from '../../storage/estate/estate-partner.ts'

const facilitiesPerBatch = 16
const partnersPerBatch = 100

/** Reads all facilities and partners as they are at one moment, and passes them to a receiver, facilities first. */
export function exportEstate(db: Db, { begin, receive }: EstateReceiver): Promise<void> {
  return db.readFromReplica(async (tx) => {
    begin()
    let facilities: Facility[]
    for (let after = 0; ; after = facilities.at(-1)?.id as number) {
      facilities = await facilitiesAfter(tx, after, facilitiesPerBatch)
      if (facilities.length === 0) break
      await receive(await facilityItems(tx, facilities))
    }
    let partners: string[]
    for (let after = ''; ; after = partners.at(-1) as string) {
      partners = await partnerIdsAfter(tx, after, partnersPerBatch)
      if (partners.length === 0) break
      await receive(await partnerItems(tx, partners))
    }
  })
}

async function facilityItems(tx: Tx, facilities: Facility[]): Promise<EstateItem[]> {
  const areas = await areasOf(tx, facilities)
  const lists = await listsOf(tx, facilities)
  return facilities.map(({ dateCreated: _created, dateUpdated: _updated, ...facility }) => ({
    kind: 'facility',
    facility: {
      ...facility,
      devices: placedIn(facility.devices, areas.get(facility.id) ?? []),
      areas: (areas.get(facility.id) ?? []).map(({ short, name, dataGeneral }) => ({ id: short, name, dataGeneral })),
      entries: lists.get(facility.id) ?? [],
    },
  }))
}

/**
 * Takes devices out of areas that no longer exist. Earlier versions of Atrium left them there, and an estate file with
 * such devices could not be applied.
 */
function placedIn(devices: Device[], areas: Area[]): Device[] {
  const present = new Set(areas.map(({ short }) => short))
  return devices.map((device) => ({ ...device, area: present.has(device.area ?? '') ? device.area : null }))
}

async function partnerItems(tx: Tx, ids: string[]): Promise<EstateItem[]> {
  const items: EstateItem[] = []
  for (const id of ids) {
    const partner = await findPartnerWithGrants(tx, id)
    if (partner !== undefined) items.push({ kind: 'partner', partner })
  }
  return items
}
