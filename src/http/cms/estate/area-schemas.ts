import { Type } from '../../schema.ts'
import { count, dateTime, nullableText, nullableTime, text } from '../schema-parts.ts'

const notes = Type.Array(Type.Object({}, { additionalProperties: true }), {
  description: 'Objects of the operator, passed on to partners as they are.',
})

const CmsService = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Identifier.' }),
    code: text('What it is.'),
    label: nullableText('What it is called.'),
    status: text('Usually `active`.'),
    start: nullableTime('From when it is valid.'),
    end: nullableTime('Until when it is valid, that moment not included.'),
  },
  { $id: 'CmsService', additionalProperties: true, description: "A service of a room's current guest." },
)

const CmsArea = Type.Object(
  {
    id: text('Short id, unique in its facility.'),
    id_external: text('Full id.'),
    name: text('Displayed name.'),
    opened_at: nullableTime('Since when the room is open.'),
    cycle: nullableText('The occupation cycle.'),
    data_general: notes,
    services_count: count('Services of its guest.'),
    services_valid: count('Those that are valid now.'),
    services: Type.Optional(Type.Array(Type.Ref('CmsService'), { description: 'For editors and administrators.' })),
    date_created: dateTime('When it was created.'),
    date_updated: dateTime('When it or its services last changed.'),
  },
  { $id: 'CmsArea', description: 'A room, zone or space.' },
)

/** What can be said of an area when it is made or changed. */
export const areaFields = {
  id: text('Short id.'),
  name: text('Displayed name.'),
  data_general: Type.Optional(notes),
}

export const areaSchemas = { CmsService, CmsArea }

export const areaExample = {
  id: '101',
  id_external: 'lyon-01-101',
  name: 'Room 101',
  opened_at: null,
  cycle: null,
  data_general: [],
  services_count: 0,
  services_valid: 0,
  services: [],
  date_created: '2026-11-15T08:30:00.000Z',
  date_updated: '2026-11-15T08:30:00.000Z',
}
