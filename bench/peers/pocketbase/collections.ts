/** The estate as PocketBase collections. Rules implement the row filter; hidden fields and `isset`, field permissions. */
const mine = (path: string) => `@request.auth.id != "" && ${path}.id ?= @request.auth.id`

/** Fields of a facility that a partner may not write. */
const guarded = ['id_external', 'status', 'type', 'subscribed', 'address', 'devices', 'areas_count', 'partners']
const nameOnly = guarded.map((field) => `@request.body.${field}:isset = false`).join(' && ')

const text = (name: string, more = {}) => ({ type: 'text', name, ...more })
const number = (name: string) => ({ type: 'number', name })
const json = (name: string) => ({ type: 'json', name, maxSize: 2_000_000 })
const date = (name: string) => ({ type: 'date', name })
const created = { type: 'autodate', name: 'created', onCreate: true, onUpdate: false }
const updated = { type: 'autodate', name: 'updated', onCreate: true, onUpdate: true }
const relation = (name: string, collectionId: string, more = {}) => ({
  type: 'relation',
  name,
  collectionId,
  required: true,
  maxSelect: 1,
  cascadeDelete: true,
  ...more,
})

export const partners = { id: 'pbc_bench_partners', type: 'auth', name: 'partners', fields: [text('name')] }

const facilities = {
  id: 'pbc_bench_facilities',
  type: 'base',
  name: 'facilities',
  listRule: mine('partners'),
  viewRule: mine('partners'),
  updateRule: `${mine('partners')} && ${nameOnly}`,
  fields: [
    text('id_external', { required: true }),
    text('name', { required: true, min: 1, max: 255 }),
    text('status'),
    text('type'),
    text('ssid_public'),
    text('subscription_url'),
    { type: 'bool', name: 'subscribed' },
    json('address'),
    json('devices'),
    number('areas_count'),
    number('areas_autocomplete_list_count'),
    relation('partners', partners.id, { maxSelect: 1000, required: false, hidden: true, cascadeDelete: false }),
    created,
    updated,
  ],
  indexes: ['create unique index bench_facility on facilities (id_external)'],
}

const areas = {
  id: 'pbc_bench_areas',
  type: 'base',
  name: 'areas',
  listRule: mine('facility.partners'),
  viewRule: mine('facility.partners'),
  fields: [
    text('id_external', { required: true }),
    text('name', { required: true }),
    text('opened_at'),
    text('cycle'),
    json('data_general'),
    relation('facility', facilities.id),
    created,
    updated,
  ],
  indexes: [
    'create unique index bench_area on areas (id_external)',
    'create index bench_area_facility on areas (facility)',
  ],
}

const lists = {
  id: 'pbc_bench_lists',
  type: 'base',
  name: 'lists',
  listRule: mine('facility.partners'),
  viewRule: mine('facility.partners'),
  updateRule: mine('facility.partners'),
  fields: [relation('facility', facilities.id), json('entries')],
  indexes: ['create unique index bench_list_facility on lists (facility)'],
}

const subscriptions = {
  id: 'pbc_bench_subscriptions',
  type: 'base',
  name: 'subscriptions',
  listRule: mine('area.facility.partners'),
  viewRule: mine('area.facility.partners'),
  createRule: mine('area.facility.partners'),
  deleteRule: mine('area.facility.partners'),
  fields: [
    relation('area', areas.id),
    text('code', { required: true, max: 64 }),
    text('label'),
    text('status'),
    date('start'),
    date('end'),
  ],
  indexes: ['create index bench_subscription_area on subscriptions (area)'],
}

export const collections = [partners, facilities, areas, lists, subscriptions]
