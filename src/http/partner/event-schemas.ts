import { facilityIdPattern } from '../../domain/identifier.ts'
import { type EventType, eventTypes } from '../../domain/room/event.ts'
import { type ObjectSchema, type Schema, Type } from '../schema.ts'
import { count, dateTime, text, uuid } from '../schema-parts.ts'

/** The schemas of events: one per type, so that `type` and `data` match, and one for any of them. */

const cycle = uuid('Id of the cycle.')
const anyCycle = { ...cycle, type: ['string', 'null'], description: 'Id of the cycle; null in a room that was closed.' }
const serviceId = uuid('Id of the service.')
const service = Type.Union([Type.Ref('Subscription'), Type.Null()], {
  description: 'The service as it is now; null once it is deleted or the cycle has ended.',
})
const property = Type.Enum(
  ['name', 'status', 'type', 'ssid_public', 'subscription_url', 'subscribed', 'address', 'devices'],
  { description: 'Name of the changed field of the facility.' },
)
const propertyValue = (description: string) =>
  Type.Optional(
    Type.Union([{ type: ['string', 'boolean', 'null'] }, Type.Ref('Address'), Type.Array(Type.Ref('Device'))], {
      description: `${description} Left out, as the other one is, when they are too long for an event.`,
    }),
  )

interface EventKind {
  description: string
  about: 'facility' | 'room' | 'partner'
  data: Schema
}

const ofFacility = (description: string, data: Schema): EventKind => ({
  description,
  about: 'facility',
  data,
})
const ofRoom = (description: string, data: Record<string, Schema>): EventKind => ({
  description,
  about: 'room',
  data: Type.Object(data),
})
const ofService = (description: string): EventKind => ofRoom(description, { cycle: anyCycle, id: serviceId, service })

const kinds: Record<EventType, EventKind> = {
  'facility.created': ofFacility('A facility was created.', Type.Object({})),
  'facility.updated': ofFacility(
    'A field of a facility changed.',
    Type.Object({ property, old: propertyValue('Value before.'), new: propertyValue('Value after.') }),
  ),
  'facility.removed': ofFacility('A facility was removed.', Type.Object({})),
  'autocomplete_list.replaced': ofFacility('The autocomplete list was replaced.', Type.Ref('ListChanges')),
  'areas.changed': ofFacility(
    'The operator changed the rooms of a facility.',
    Type.Object({ added: count('New rooms.'), updated: count('Changed rooms.'), removed: count('Removed rooms.') }),
  ),
  'area.opened': ofRoom('A room was opened: a guest arrived.', { cycle }),
  'area.closed': ofRoom('A room was closed: the guest left.', { cycle: anyCycle }),
  'area.moved': ofRoom('A guest moved to another room, with all services.', {
    cycle,
    from: text('Full id of the room that the guest left.'),
    to: text('Full id of the room that the guest moved to.'),
  }),
  'services.added': ofRoom('Services were added to a room.', {
    cycle: anyCycle,
    ids: Type.Array(serviceId, { description: 'Ids of the added services.' }),
    services: Type.Union([Type.Array(Type.Ref('Subscription')), Type.Null()], {
      description: 'Those of them that still exist; null once the cycle has ended.',
    }),
  }),
  'service.changed': ofRoom('A service was changed.', {
    cycle: anyCycle,
    id: serviceId,
    changed: Type.Array(Type.String(), {
      description: 'Names of the changed fields. Those of own fields that the service no longer has are left out.',
    }),
    service,
  }),
  'service.deleted': ofRoom('A service was deleted.', { cycle: anyCycle, id: serviceId }),
  'service.started': ofService('A service started.'),
  'service.ending': ofService('A service ends soon.'),
  'service.ended': ofService('A service ended.'),
  'token.expiring': {
    description: 'A token of the partner ends in seven days or less.',
    about: 'partner',
    data: Type.Object({
      id: text('Public part of the token.'),
      name: text('Name of the token.'),
      expires_at: dateTime('When the token ends.'),
    }),
  },
}

/** Returns the schema name of an event type: for `area.opened`, it is `AreaOpenedEvent`. */
export function eventSchemaName(type: EventType): string {
  return `${type.replace(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase())}Event`
}

const id = Type.String({
  pattern: '^[\\w-]{22}$',
  description: 'Id of the event, the same each time this partner receives it.',
})
const occurredAt = dateTime('Time of the change.')
const facility = Type.String({ pattern: facilityIdPattern, description: 'External id of the facility.' })
const origin = Type.Enum(['self', 'other'], { description: '`self` for changes that this partner made itself.' })

const places: Record<EventKind['about'], Record<string, Schema>> = {
  facility: { facility },
  room: { facility, area: text('Full id of the room.') },
  partner: {},
}

function eventSchema(type: EventType): ObjectSchema {
  const { description, about, data } = kinds[type]
  return Type.Object(
    { id, type: Type.Literal(type), occurred_at: occurredAt, ...places[about], origin, data },
    { $id: eventSchemaName(type), description },
  )
}

const Event: Schema = {
  $id: 'Event',
  description: 'A change, with the values that the partner may read. `type` says which members it has.',
  oneOf: eventTypes.map((type) => Type.Ref(eventSchemaName(type))),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(eventTypes.map((type) => [type, `#/components/schemas/${eventSchemaName(type)}`])),
  },
}

const EventPage = Type.Object(
  {
    data: Type.Array(Type.Ref('Event'), { description: 'Oldest first.' }),
    next: text('The cursor to send as `after` in the next request.'),
  },
  { $id: 'EventPage', description: 'A page of consecutive events.' },
)

const WebhookPing = Type.Object(
  {
    id: text('Id of the message.'),
    type: Type.Literal('webhook.ping'),
    occurred_at: dateTime('When the ping was sent.'),
    data: Type.Object({ webhook: uuid('Id of the webhook.') }),
  },
  {
    $id: 'WebhookPing',
    description: 'A test message, sent when a webhook is created, when its address changes, and on request.',
  },
)

export const eventSchemas: Record<string, Schema> = {
  Event,
  ...Object.fromEntries(eventTypes.map((type) => [eventSchemaName(type), eventSchema(type)])),
  EventPage,
  WebhookPing,
}
