import { fullId } from './identifier.ts'
import { type Subscription, subscriptionView } from './subscription.ts'

export interface Area {
  id: string
  facilityId: number
  /** The facility's external id. */
  facility: string
  short: string
  name: string
  /** The start of the current occupation cycle and its id; both null while the room is closed. */
  openedAt: string | null
  cycle: string | null
  dateCreated: string
  dateUpdated: string
  dataGeneral: object[]
}

export function areaView(area: Area, subscriptions: Subscription[]) {
  return {
    id_external: fullId(area.facility, area.short),
    name: area.name,
    opened_at: area.openedAt,
    cycle: area.cycle,
    date_created: area.dateCreated,
    date_updated: area.dateUpdated,
    data_services: subscriptions.map(subscriptionView),
    data_general: area.dataGeneral,
  }
}
