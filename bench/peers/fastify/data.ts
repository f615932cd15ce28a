import { createHash } from 'node:crypto'
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

const readable = JSON.stringify([
  ...['date_created', 'date_updated', 'ssid_public', 'address', 'subscription_url', 'type', 'subscribed', 'devices'],
  ...['areas', 'areas_count', 'areas_autocomplete_list', 'areas_autocomplete_list_count'],
])
const writable = JSON.stringify(['name', 'ssid_public', 'subscription_url', 'areas_autocomplete_list', 'services'])

export function tables(estate: BenchEstate): Table[] {
  return [
    {
      name: 'partner',
      columns: ['id', 'name', 'token_hash'],
      rows: eachPartner(estate, (index) => {
        const hash = createHash('sha256').update(tokenOf(index)).digest('hex')
        return [index + 1, estate.partner(index).name, hash]
      }),
    },
    facilities(estate),
    {
      name: 'grant_to',
      columns: ['partner_id', 'facility_id', 'readable', 'writable'],
      rows: eachGrant(estate, (partner, facility) => [partner + 1, facility + 1, readable, writable]),
    },
    {
      name: 'area',
      columns: ['id', 'id_external', 'facility_id', 'name', 'date_created', 'date_updated'],
      rows: eachRoom(estate, (facility, area) => {
        const { fullId, name } = estate.area(facility, area)
        return [roomNumber(estate, facility, area), fullId, facility + 1, name, made, made]
      }),
    },
    {
      name: 'list',
      columns: ['facility_id', 'entries'],
      rows: eachFacility(estate, (facility) => [facility + 1, entriesJson(estate, facility)]),
    },
    {
      name: 'subscription',
      columns: ['id', 'area_id', 'code', 'label', 'status', 'start', 'end'],
      rows: eachSubscription(estate, (facility, area, index, number) => {
        const { code, label, status, start, end } = estate.subscription(facility, area, index)
        const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
        return [id, roomNumber(estate, facility, area), code, label, status, start, end]
      }),
    },
  ]
}

function facilities(estate: BenchEstate): Table {
  return {
    name: 'facility',
    columns: [
      ...['id', 'id_external', 'name', 'status', 'type', 'ssid_public', 'subscription_url', 'subscribed', 'address'],
      ...['date_created', 'date_updated'],
    ],
    rows: eachFacility(estate, (index) => {
      const { idExternal, name, status, type, ssidPublic, subscriptionUrl, subscribed, address } =
        estate.facility(index)
      const words = [idExternal, name, status, type, ssidPublic, subscriptionUrl]
      return [index + 1, ...words, subscribed ? 1 : 0, JSON.stringify(address), made, made]
    }),
  }
}
