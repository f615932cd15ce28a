import type { BenchEstate } from '../../estate/shape.ts'
import {
  eachFacility,
  eachPartner,
  eachRoom,
  eachSubscription,
  entriesJson,
  made,
  roomNumber,
  tokenOf,
} from '../shared/estate.ts'
import type { Table } from '../shared/rows.ts'

/** PocketBase's ids have 15 characters. */
export const idOf = (letter: 'p' | 'f' | 'a' | 's', number: number) => letter + String(number).padStart(14, '0')

const dated = (date: string) => date.replace('T', ' ')

export function tables(estate: BenchEstate): Table[] {
  return [
    {
      name: 'partners',
      columns: ['id', 'name', 'email', 'password', 'tokenKey', 'verified'],
      rows: eachPartner(estate, (index) => {
        const { id, name } = estate.partner(index)
        return [idOf('p', index + 1), name, `${id}@bench.example`, 'none', tokenOf(index), 1]
      }),
    },
    facilities(estate),
    {
      name: 'areas',
      columns: ['id', 'id_external', 'name', 'data_general', 'facility', 'created', 'updated'],
      rows: eachRoom(estate, (facility, area) => {
        const { fullId, name } = estate.area(facility, area)
        const id = idOf('a', roomNumber(estate, facility, area))
        return [id, fullId, name, '[]', idOf('f', facility + 1), dated(made), dated(made)]
      }),
    },
    {
      name: 'lists',
      columns: ['id', 'facility', 'entries'],
      rows: eachFacility(estate, (index) => {
        const id = idOf('f', index + 1)
        return [id, id, entriesJson(estate, index)]
      }),
    },
    {
      name: 'subscriptions',
      columns: ['id', 'area', 'code', 'label', 'status', 'start', 'end'],
      rows: eachSubscription(estate, (facility, area, index, count) => {
        const { code, label, status, start, end } = estate.subscription(facility, area, index)
        const room = idOf('a', roomNumber(estate, facility, area))
        return [idOf('s', count), room, code, label, status, dated(start), dated(end)]
      }),
    },
  ]
}

function facilities(estate: BenchEstate): Table {
  return {
    name: 'facilities',
    columns: [
      ...['id', 'id_external', 'name', 'status', 'type', 'ssid_public', 'subscription_url', 'subscribed', 'address'],
      ...['devices', 'areas_count', 'areas_autocomplete_list_count', 'partners', 'created', 'updated'],
    ],
    rows: eachFacility(estate, (index) => {
      const { idExternal, name, status, type, ssidPublic, subscriptionUrl, subscribed, address } =
        estate.facility(index)
      const words = [idExternal, name, status, type, ssidPublic, subscriptionUrl]
      const partners = estate.partnersOf(index).map((partner) => idOf('p', partner + 1))
      const counts = [estate.areas, estate.areas, JSON.stringify(partners)]
      const more = [subscribed ? 1 : 0, JSON.stringify(address), '[]', ...counts, dated(made), dated(made)]
      return [idOf('f', index + 1), ...words, ...more]
    }),
  }
}
