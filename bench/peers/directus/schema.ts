/** The estate as Directus collections: bodies of `POST /collections` and `POST /relations`. */
interface Field {
  field: string
  type: string
  schema?: object | null
  meta?: object
}

const column = (field: string, type: string, schema = {}): Field => ({ field, type, schema, meta: {} })
const key = column('id', 'integer', { is_primary_key: true, has_auto_increment: true })
const alias = (field: string, special: string): Field => ({
  field,
  type: 'alias',
  schema: null,
  meta: { special: [special] },
})
const stamped = (field: string): Field => ({
  ...column(field, 'timestamp'),
  meta: { special: [field.replace('_', '-')] },
})
const json = (field: string): Field => ({ ...column(field, 'json'), meta: { special: ['cast-json'] } })
const strings = (...fields: string[]) => fields.map((field) => column(field, 'string'))
const external = column('id_external', 'string', { is_unique: true, is_indexed: true })
const indexed = (field: string, type = 'integer') => column(field, type, { is_indexed: true })

export const collections = [
  collection('facilities', [
    key,
    external,
    ...strings('name', 'status', 'type', 'ssid_public', 'subscription_url'),
    { ...column('subscribed', 'boolean'), meta: { special: ['cast-boolean'] } },
    json('address'),
    json('devices'),
    column('areas_count', 'integer'),
    column('areas_autocomplete_list_count', 'integer'),
    stamped('date_created'),
    stamped('date_updated'),
    alias('partners', 'm2m'),
  ]),
  collection('areas', [
    key,
    external,
    ...strings('name', 'opened_at', 'cycle'),
    json('data_general'),
    indexed('facility'),
    stamped('date_created'),
    stamped('date_updated'),
    alias('subscriptions', 'o2m'),
  ]),
  collection('lists', [key, indexed('facility'), json('entries')]),
  collection('subscriptions', [
    key,
    indexed('area'),
    ...strings('code', 'label', 'status'),
    column('start', 'timestamp'),
    column('end', 'timestamp'),
  ]),
  collection('facilities_partners', [key, indexed('facility'), indexed('partner', 'uuid')]),
]

function collection(name: string, fields: Field[]) {
  return { collection: name, schema: {}, meta: {}, fields }
}

export const relations = [
  relation('areas', 'facility', 'facilities'),
  relation('lists', 'facility', 'facilities'),
  relation('subscriptions', 'area', 'areas', { one_field: 'subscriptions' }),
  relation('facilities_partners', 'facility', 'facilities', { one_field: 'partners', junction_field: 'partner' }),
  relation('facilities_partners', 'partner', 'directus_users', { junction_field: 'facility' }),
]

function relation(name: string, field: string, related: string, meta = {}) {
  return { collection: name, field, related_collection: related, schema: { on_delete: 'CASCADE' }, meta }
}

const mine = { partners: { partner: { _eq: '$CURRENT_USER' } } }
const facilityFields = [
  ...['id', 'id_external', 'name', 'status', 'type', 'ssid_public', 'subscription_url', 'subscribed', 'address'],
  ...['devices', 'areas_count', 'areas_autocomplete_list_count', 'date_created', 'date_updated'],
]
const subscriptionFields = ['id', 'area', 'code', 'label', 'status', 'start', 'end']

/**
 * Directus cannot filter what is created, so a subscription is created through its room: an update, which is filtered.
 */
const permissions = [
  rule('facilities', 'read', mine, facilityFields),
  rule('facilities', 'update', mine, ['name', 'ssid_public', 'subscription_url']),
  rule('areas', 'read', { facility: mine }, ['*']),
  rule('areas', 'update', { facility: mine }, ['subscriptions']),
  rule('lists', 'read', { facility: mine }, ['*']),
  rule('lists', 'update', { facility: mine }, ['entries']),
  rule('subscriptions', 'read', { area: { facility: mine } }, subscriptionFields),
  rule('subscriptions', 'create', null, subscriptionFields),
  rule('subscriptions', 'update', { area: { facility: mine } }, subscriptionFields),
  rule('subscriptions', 'delete', { area: { facility: mine } }, ['*']),
]

function rule(name: string, action: string, filter: object | null, fields: string[]) {
  return { collection: name, action, permissions: filter, fields }
}

export const role = {
  name: 'Partner',
  policies: [{ policy: { name: 'Partner', admin_access: false, app_access: false, permissions } }],
}
