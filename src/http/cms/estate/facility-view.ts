import type { FacilityOverview } from '../../../storage/cms/facility.ts'
import type { Contents } from '../../../storage/estate/estate-area.ts'

export function facilityView(facility: FacilityOverview) {
  return {
    id: facility.id,
    id_external: facility.idExternal,
    name: facility.name,
    status: facility.status,
    type: facility.type,
    ssid_public: facility.ssidPublic,
    subscription_url: facility.subscriptionUrl,
    subscribed: facility.subscribed,
    timezone: facility.timezone,
    room_services: facility.roomServices,
    address: facility.address,
    devices: facility.devices,
    devices_count: facility.devices.length,
    areas_count: facility.areas,
    open_count: facility.openRooms,
    list_count: facility.listEntries,
    date_created: facility.dateCreated,
    date_updated: facility.dateUpdated,
  }
}

/** Renders a facility for a list: without its devices, of which there can be many. */
export function facilityRow(facility: FacilityOverview) {
  const { devices: _devices, ...row } = facilityView(facility)
  return row
}

export function lostView({ areas, openRooms, subscriptions }: Contents) {
  return { areas, open_rooms: openRooms, subscriptions }
}
