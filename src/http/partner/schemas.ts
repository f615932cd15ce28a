import { wordPattern } from '../../domain/facility.ts'
import { facilityIdPattern } from '../../domain/identifier.ts'
import { eventTypes } from '../../domain/room/event.ts'
import { Sandbox } from '../sandbox-view.ts'
import { Type } from '../schema.ts'
import { webhookSchemas } from '../webhook-view.ts'

/** The objects of `/v1`, named as in the OpenAPI document. */

const nullable = (schema: ReturnType<typeof Type.String>) => ({ ...schema, type: ['string', 'null'] })
const text = (description: string) => Type.String({ description })
const moment = (description: string) => ({
  type: ['string', 'number', 'null'],
  description: `${description} ISO 8601, without an offset in the time zone of the facility, or Unix time in seconds or milliseconds.`,
})
const dateTime = (description: string) => Type.String({ format: 'date-time', description })

const summaryFields = {
  id: Type.Integer({ description: 'Number of the facility.' }),
  id_external: Type.String({ pattern: facilityIdPattern, description: 'The identifier used in paths.' }),
  name: Type.String({ description: 'Displayed name.' }),
  status: Type.String({ pattern: wordPattern, description: 'Usually `active`, `suspended` or `closed`.' }),
}

export const FacilitySummary = Type.Object(summaryFields, {
  $id: 'FacilitySummary',
  description: 'A facility in the list.',
})

export const Address = Type.Object(
  {
    street: nullable(text('Street and number.')),
    postal_code: nullable(text('Postal code.')),
    city: nullable(text('City.')),
    region: nullable(text('Region.')),
    country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' }),
  },
  { $id: 'Address', description: 'Where the facility is.' },
)

export const Device = Type.Object(
  {
    id: text('Identifier of the device within the facility.'),
    type: text('What it is, for example `tv`.'),
    model: nullable(text('Model.')),
    serial: nullable(text('Serial number.')),
    status: nullable(text('State, for example `online`.')),
    area_id_external: nullable(text('Full id of the area it is mounted in.')),
  },
  { $id: 'Device', description: 'A piece of equipment.' },
)

export const Facility = Type.Object(
  {
    ...summaryFields,
    date_created: Type.Optional(dateTime('When the facility was created.')),
    date_updated: Type.Optional(dateTime('When the facility was last changed.')),
    ssid_public: Type.Optional(nullable(text('Public Wi-Fi network name.'))),
    address: Type.Optional(
      Type.Union([Type.Ref('Address'), Type.Null()], { description: 'Null where it is not known.' }),
    ),
    subscription_url: Type.Optional(nullable(text('Subscription or portal page.'))),
    type: Type.Optional(Type.String({ pattern: wordPattern, description: 'For example `hotel` or `hospital`.' })),
    subscribed: Type.Optional(Type.Boolean({ description: 'Whether the facility has a subscription.' })),
    devices: Type.Optional(Type.Array(Type.Ref('Device'), { description: 'In-room equipment.' })),
    areas_count: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of areas.' })),
    areas_autocomplete_list_count: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of entries.' })),
  },
  { $id: 'Facility', description: 'A facility. Fields that are not granted are left out.' },
)

export const Subscription = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Made by the service (UUIDv7).' }),
    code: Type.String({ minLength: 1, maxLength: 64, description: 'Functional identifier of the service.' }),
    label: nullable(text('Displayed label.')),
    status: text('State; `active` when none was sent.'),
    start: nullable(dateTime('Start of validity, included.')),
    end: nullable(dateTime('End of validity, excluded.')),
  },
  {
    $id: 'Subscription',
    additionalProperties: true,
    description: 'A service in a room. Other fields come back as the partner sent them.',
  },
)

export const SubscriptionDraft = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '\\S',
      description: 'Functional identifier of the service; not blank.',
    }),
    label: Type.Optional(nullable(text('Displayed label.'))),
    status: Type.Optional(nullable(Type.String({ default: 'active', description: 'State; null for the default.' }))),
    start: Type.Optional(moment('Start of validity, included. A date alone is the start of that day.')),
    end: Type.Optional(moment('End of validity, excluded, after `start`. A date alone is the end of that day.')),
  },
  {
    $id: 'SubscriptionDraft',
    additionalProperties: true,
    description:
      'A subscription as it is sent. Other fields are kept as they come, but for `id`, which the service makes.',
  },
)

export const Area = Type.Object(
  {
    id_external: text('Full id: facility and short id joined by a hyphen.'),
    name: text('Displayed name.'),
    opened_at: nullable(dateTime('Start of the current cycle; null while the room is closed.')),
    cycle: nullable(Type.String({ format: 'uuid', description: 'Id of the cycle; null while the room is closed.' })),
    date_created: dateTime('When the area was created.'),
    date_updated: dateTime('When the area or its subscriptions last changed.'),
    data_services: Type.Array(Type.Ref('Subscription'), { description: 'Oldest first; empty when there are none.' }),
    data_general: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: "The operator's own data.",
    }),
  },
  { $id: 'Area', description: 'A room, zone or space of a facility.' },
)

export const AutocompleteEntry = Type.Object(
  { id_external: text('Full id.'), name: text('Displayed name.') },
  { $id: 'AutocompleteEntry', description: 'A room as installation tools offer it. It needs no area.' },
)

const rights = {
  read: Type.Array(Type.String(), { description: 'Fields that may be read, beside those that always may.' }),
  write: Type.Array(Type.String(), { description: 'Fields that may be changed.' }),
  rooms: Type.Array(Type.String(), { description: 'What may be done to rooms: `open_close`, `services`.' }),
}

export const Me = Type.Object(
  {
    partner: Type.Object({ id: text('Id of the partner.'), name: text('Name of the partner.') }),
    token: Type.Object({
      id: text('Public part of the token.'),
      name: text('Name that the operator gave it.'),
      expires_at: nullable(dateTime('When it expires; null for never.')),
    }),
    grants: Type.Array(
      Type.Object({ facility: text('External id, or `*` for every facility without a row of its own.'), ...rights }),
      { description: 'Added up per facility.' },
    ),
    rate_limit: Type.Union(
      [
        Type.Object({
          per_second: Type.Number({ description: 'Requests per second in the long run.' }),
          burst: Type.Integer({ description: 'Requests at once.' }),
        }),
        Type.Null(),
      ],
      { description: 'Null where none is set.' },
    ),
  },
  { $id: 'Me', description: 'What a token may do.' },
)

const entries = (description: string) => Type.Array(Type.Ref('AutocompleteEntry'), { description })

export const ListChanges = Type.Object(
  {
    added: entries('Entries that were not there.'),
    removed: entries('Entries that are no longer there.'),
    renamed: Type.Array(
      Type.Object({ id_external: text('Full id.'), old: text('The name it had.'), new: text('The name it has.') }),
      { description: 'Entries with another name.' },
    ),
    complete: Type.Boolean({ description: 'Whether these are all of them; a dry run names all.' }),
  },
  { $id: 'ListChanges', description: 'What a replacement does to the autocomplete list.' },
)

export const Event = Type.Object(
  {
    id: Type.String({ pattern: '^[\\w-]{22}$', description: 'Always the same for the same event and partner.' }),
    type: Type.Enum(eventTypes, { description: 'What happened.' }),
    occurred_at: dateTime('When it happened.'),
    facility: Type.String({ pattern: facilityIdPattern, description: 'External id of the facility.' }),
    area: Type.Optional(text('Full id of the room, where it happened in one.')),
    origin: Type.Enum(['self', 'other'], { description: '`self` for what this partner itself has done.' }),
    data: Type.Object({}, { additionalProperties: true, description: 'What depends on the type.' }),
  },
  { $id: 'Event', description: 'Something that happened, as far as the partner may read it.' },
)

export const EventPage = Type.Object(
  {
    data: Type.Array(Type.Ref('Event'), { description: 'The oldest first.' }),
    next: text('What to send as `after` to go on from here.'),
  },
  { $id: 'EventPage', description: 'Events that follow one another.' },
)

export const components = {
  FacilitySummary,
  Facility,
  Address,
  Device,
  Area,
  AutocompleteEntry,
  Subscription,
  SubscriptionDraft,
  ListChanges,
  Event,
  EventPage,
  Me,
  ...webhookSchemas,
  Sandbox,
}
