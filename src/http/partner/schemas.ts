import { wordPattern } from '../../domain/facility.ts'
import { facilityIdPattern } from '../../domain/identifier.ts'
import { Sandbox } from '../sandbox-view.ts'
import { Type } from '../schema.ts'
import {
  addressFields,
  count,
  dateTime,
  deviceFields,
  flag,
  nullableText,
  nullableTime,
  text,
} from '../schema-parts.ts'
import { webhookSchemas } from '../webhook-view.ts'
import { bulkSchemas } from './bulk-schemas.ts'
import { eventSchemas } from './event-schemas.ts'
import { OwnRequest } from './requests.ts'
import * as subscriptionSchemas from './subscription-schemas.ts'

/** The schemas of the objects of `/v1`. Each exported constant has the name of its schema in the OpenAPI document. */

const summaryFields = {
  id: Type.Integer({ description: 'Number of the facility.' }),
  id_external: Type.String({ pattern: facilityIdPattern, description: 'The identifier used in paths.' }),
  name: text('Displayed name.'),
  status: Type.String({ pattern: wordPattern, description: 'Usually `active`, `suspended` or `closed`.' }),
}

const FacilitySummary = Type.Object(summaryFields, {
  $id: 'FacilitySummary',
  description: 'A facility in the list.',
})

const Address = Type.Object(addressFields, { $id: 'Address', description: 'The address of the facility.' })

const Device = Type.Object(
  {
    id: text('Identifier of the device within the facility.'),
    type: text('Kind of device, for example `tv`.'),
    ...deviceFields,
    area_id_external: nullableText('Full id of the area in which the device is mounted.'),
  },
  { $id: 'Device', description: 'A piece of equipment.' },
)

const Facility = Type.Object(
  {
    ...summaryFields,
    date_created: Type.Optional(dateTime('When the facility was created.')),
    date_updated: Type.Optional(dateTime('When the facility was last changed.')),
    ssid_public: Type.Optional(nullableText('Public Wi-Fi network name.')),
    address: Type.Optional(
      Type.Union([Type.Ref('Address'), Type.Null()], { description: 'Null when it is not known.' }),
    ),
    subscription_url: Type.Optional(nullableText('Subscription or portal page.')),
    type: Type.Optional(Type.String({ pattern: wordPattern, description: 'For example `hotel` or `hospital`.' })),
    subscribed: Type.Optional(flag('Whether the facility has a subscription.')),
    devices: Type.Optional(Type.Array(Type.Ref('Device'), { description: 'In-room equipment.' })),
    areas_count: Type.Optional(count('Number of areas.')),
    areas_autocomplete_list_count: Type.Optional(count('Number of entries.')),
  },
  { $id: 'Facility', description: 'A facility. Fields that are not granted are left out.' },
)

const Area = Type.Object(
  {
    id_external: text('Full id: facility and short id joined by a hyphen.'),
    name: text('Displayed name.'),
    opened_at: nullableTime('Start of the current cycle; null while the room is closed.'),
    cycle: {
      type: ['string', 'null'],
      format: 'uuid',
      description: 'Id of the cycle; null while the room is closed.',
    },
    date_created: dateTime('When the area was created.'),
    date_updated: dateTime('When the area or its subscriptions last changed.'),
    data_services: Type.Array(Type.Ref('Subscription'), { description: 'Oldest first; empty when there are none.' }),
    data_general: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: "The operator's own data.",
    }),
  },
  { $id: 'Area', description: 'A room, zone or space of a facility.' },
)

const AutocompleteEntry = Type.Object(
  { id_external: text('Full id.'), name: text('Displayed name.') },
  {
    $id: 'AutocompleteEntry',
    description: 'A room that installation tools offer. An area with this id need not exist.',
  },
)

const rights = {
  read: Type.Array(Type.String(), { description: 'Readable fields, besides those that every grant includes.' }),
  write: Type.Array(Type.String(), { description: 'Fields that the partner may change.' }),
  rooms: Type.Array(Type.String(), { description: 'Permitted operations on rooms: `open_close`, `services`.' }),
}

const Me = Type.Object(
  {
    partner: Type.Object({ id: text('Id of the partner.'), name: text('Name of the partner.') }),
    token: Type.Object({
      id: text('Public part of the token.'),
      name: text('Name of the token, set by the operator.'),
      expires_at: nullableTime('Expiry of the token; null when it does not expire.'),
      imported: Type.Optional(flag('Whether it was issued elsewhere and imported.')),
      rotate_by: Type.Optional(dateTime('By when an imported token should be rotated.')),
    }),
    grants: Type.Array(
      Type.Object({
        facility: text('External id, or `*` for all facilities that are not listed themselves.'),
        ...rights,
      }),
      { description: 'All grants combined, one item per facility.' },
    ),
    contract: {
      type: ['object', 'boolean', 'null'],
      description: 'The JSON Schema (2020-12) that subscriptions of the partner are checked against; null for none.',
    },
    rate_limit: Type.Union(
      [
        Type.Object({
          per_second: Type.Number({ description: 'Requests per second at a steady rate.' }),
          burst: Type.Integer({ description: 'Number of requests that can be sent at once.' }),
        }),
        Type.Null(),
      ],
      { description: 'Null when there is no limit.' },
    ),
  },
  { $id: 'Me', description: 'The permissions of a token.' },
)

const entries = (description: string) => Type.Array(Type.Ref('AutocompleteEntry'), { description })

const ListChanges = Type.Object(
  {
    added: entries('New entries.'),
    removed: entries('Removed entries.'),
    renamed: Type.Array(
      Type.Object({ id_external: text('Full id.'), old: text('Name before.'), new: text('Name after.') }),
      { description: 'Entries whose name changes.' },
    ),
    complete: flag('Whether all changes are listed; always true for a dry run.'),
  },
  { $id: 'ListChanges', description: 'The changes that a replacement makes to the autocomplete list.' },
)

export const components = {
  FacilitySummary,
  Facility,
  Address,
  Device,
  Area,
  AutocompleteEntry,
  ...subscriptionSchemas,
  ...bulkSchemas,
  ListChanges,
  ...eventSchemas,
  Me,
  OwnRequest,
  ...webhookSchemas,
  Sandbox,
}
