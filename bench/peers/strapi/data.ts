import { createHmac } from 'node:crypto'
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

const madeMs = Date.parse(made)

/** Strapi's document ids have 24 characters. */
export const documentOf = (letter: 'p' | 'f' | 'a' | 's', number: number) => letter + String(number).padStart(23, '0')

/** Columns of every content type; the publication date is needed even without drafts. */
const common = ['id', 'document_id', 'created_at', 'updated_at', 'published_at']
const head = (letter: 'p' | 'f' | 'a' | 's', number: number) => [
  ...[number, documentOf(letter, number), madeMs, madeMs, madeMs],
]

export function tables(estate: BenchEstate): Table[] {
  const partnerRows = eachPartner(estate, (index) => [
    ...head('p', index + 1),
    estate.partner(index).name,
    tokenId(index),
  ])
  return [
    ...tokens(estate.partners),
    { name: 'partners', columns: [...common, 'name', 'token'], rows: partnerRows },
    facilities(estate),
    {
      name: 'areas',
      columns: [...common, 'id_external', 'name', 'data_general'],
      rows: eachRoom(estate, (facility, area) => {
        const { fullId, name } = estate.area(facility, area)
        return [...head('a', roomNumber(estate, facility, area)), fullId, name, '[]']
      }),
    },
    {
      name: 'lists',
      columns: [...common, 'entries'],
      rows: eachFacility(estate, (index) => [...head('f', index + 1), entriesJson(estate, index)]),
    },
    subscriptions(estate),
    link('partners_facilities', 'partner', 'facility', [
      ...eachGrant(estate, (partner, facility): Pair => [partner + 1, facility + 1]),
    ]),
    link('areas_facility', 'area', 'facility', [
      ...eachRoom(estate, (facility, area): Pair => [roomNumber(estate, facility, area), facility + 1]),
    ]),
    link('lists_facility', 'list', 'facility', [...eachFacility(estate, (index): Pair => [index + 1, index + 1])]),
    link('subscriptions_area', 'subscription', 'area', [
      ...eachSubscription(estate, (facility, area, _, count): Pair => [count, roomNumber(estate, facility, area)]),
    ]),
  ]
}

type Pair = [number, number]

function link(name: string, from: string, to: string, pairs: Pair[]): Table {
  return {
    name: `${name}_lnk`,
    columns: ['id', `${from}_id`, `${to}_id`],
    rows: pairs.map((pair, index) => [index + 1, ...pair]),
  }
}

function facilities(estate: BenchEstate): Table {
  return {
    name: 'facilities',
    columns: [
      ...common,
      ...['id_external', 'name', 'status_word', 'type', 'ssid_public', 'subscription_url', 'subscribed', 'address'],
      ...['devices', 'areas_count', 'areas_autocomplete_list_count'],
    ],
    rows: eachFacility(estate, (index) => {
      const { idExternal, name, status, type, ssidPublic, subscriptionUrl, subscribed, address } =
        estate.facility(index)
      const words = [idExternal, name, status, type, ssidPublic, subscriptionUrl]
      return [...head('f', index + 1), ...words, subscribed ? 1 : 0, JSON.stringify(address), '[]', ...counts(estate)]
    }),
  }
}

const counts = ({ areas }: BenchEstate) => [areas, areas]

function subscriptions(estate: BenchEstate): Table {
  return {
    name: 'subscriptions',
    columns: [...common, 'code', 'label', 'status_word', 'start', 'end'],
    rows: eachSubscription(estate, (facility, area, index, count) => {
      const { code, label, status, start, end } = estate.subscription(facility, area, index)
      return [...head('s', count), code, label, status, Date.parse(start), Date.parse(end)]
    }),
  }
}

/** Ids after those that Strapi creates on its first start. */
const tokenId = (partner: number) => 1001 + partner

/** As in app/config/admin.js. */
const salt = 'bench-salt-of-made-up-data'

const actions = [
  ...['facility.facility.find', 'facility.facility.findOne', 'facility.facility.update'],
  ...['area.area.find', 'area.area.findOne', 'list.list.find', 'list.list.findOne'],
  ...['subscription.subscription.find', 'subscription.subscription.findOne'],
  ...['subscription.subscription.create', 'subscription.subscription.delete'],
]

/** Custom API tokens with their permitted actions. */
function tokens(partners: number): Table[] {
  const all = Array.from({ length: partners }, (_, index) => index)
  const key = (partner: number) => createHmac('sha512', salt).update(tokenOf(partner)).digest('hex')
  const permissionId = (partner: number, at: number) => 100_001 + partner * actions.length + at
  const each = <T>(make: (partner: number, at: number) => T) =>
    all.flatMap((partner) => actions.map((_, at) => make(partner, at)))
  return [
    {
      name: 'strapi_api_tokens',
      columns: ['id', 'document_id', 'name', 'type', 'kind', 'access_key', 'created_at', 'updated_at'],
      rows: all.map((partner) => {
        const id = tokenId(partner)
        return [id, documentOf('p', id), `partner ${partner}`, 'custom', 'content-api', key(partner), madeMs, madeMs]
      }),
    },
    {
      name: 'strapi_api_token_permissions',
      columns: ['id', 'document_id', 'action', 'created_at', 'updated_at'],
      rows: each((partner, at) => {
        const id = permissionId(partner, at)
        return [id, documentOf('p', id), `api::${actions[at]}`, madeMs, madeMs]
      }),
    },
    {
      name: 'strapi_api_token_permissions_token_lnk',
      columns: ['id', 'api_token_permission_id', 'api_token_id'],
      rows: each((partner, at) => [permissionId(partner, at), permissionId(partner, at), tokenId(partner)]),
    },
  ]
}
