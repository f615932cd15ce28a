import type { BenchEstate } from '../../estate/shape.ts'
import {
  eachFacility,
  eachGrant,
  eachPartner,
  eachRoom,
  eachSubscription,
  entriesJson,
  made,
  roomNumber,
  tokenOf,
} from '../shared/estate.ts'
import type { Table } from '../shared/rows.ts'

const userOf = (partner: number) => `00000000-0000-4000-8000-${String(partner + 1).padStart(12, '0')}`

export function tables(estate: BenchEstate, role: string): Table[] {
  return [
    {
      name: 'directus_users',
      columns: ['id', 'first_name', 'email', 'status', 'role', 'token'],
      rows: eachPartner(estate, (index) => {
        const { id, name } = estate.partner(index)
        return [userOf(index), name, `${id}@bench.example`, 'active', role, tokenOf(index)]
      }),
    },
    facilities(estate),
    {
      name: 'facilities_partners',
      columns: ['id', 'facility', 'partner'],
      rows: eachGrant(estate, (partner, facility, count) => [count, facility + 1, userOf(partner)]),
    },
    {
      name: 'areas',
      columns: ['id', 'id_external', 'name', 'data_general', 'facility', 'date_created', 'date_updated'],
      json: ['data_general'],
      rows: eachRoom(estate, (facility, area) => {
        const { fullId, name } = estate.area(facility, area)
        return [roomNumber(estate, facility, area), fullId, name, '[]', facility + 1, made, made]
      }),
    },
    {
      name: 'lists',
      columns: ['id', 'facility', 'entries'],
      json: ['entries'],
      rows: eachFacility(estate, (index) => [index + 1, index + 1, entriesJson(estate, index)]),
    },
    {
      name: 'subscriptions',
      columns: ['id', 'area', 'code', 'label', 'status', 'start', 'end'],
      rows: eachSubscription(estate, (facility, area, index, count) => {
        const { code, label, status, start, end } = estate.subscription(facility, area, index)
        return [count, roomNumber(estate, facility, area), code, label, status, start, end]
      }),
    },
  ]
}

function facilities(estate: BenchEstate): Table {
  return {
    name: 'facilities',
    columns: [
      ...['id', 'id_external', 'name', 'status', 'type', 'ssid_public', 'subscription_url', 'subscribed', 'address'],
      ...['devices', 'areas_count', 'areas_autocomplete_list_count', 'date_created', 'date_updated'],
    ],
    json: ['address', 'devices'],
    rows: eachFacility(estate, (index) => {
      const { idExternal, name, status, type, ssidPublic, subscriptionUrl, subscribed, address } =
        estate.facility(index)
      const words = [idExternal, name, status, type, ssidPublic, subscriptionUrl]
      const more = [subscribed ? 1 : 0, JSON.stringify(address), '[]', estate.areas, estate.areas, made, made]
      return [index + 1, ...words, ...more]
    }),
  }
}
