import { hasRole } from '../../../domain/access/operator.ts'
import { parseExactly } from '../../../domain/exact-json.ts'
import type { StoredArea } from '../../../storage/cms/area.ts'
import { Type } from '../../schema.ts'
import { count, dateTime, nullableText, nullableTime, text, uuid } from '../../schema-parts.ts'
import type { CmsContext } from '../endpoint.ts'

const notes = Type.Array(Type.Object({}, { additionalProperties: true }), {
  description: 'Free-form objects of the operator, passed on to partners unchanged.',
})

const CmsService = Type.Object(
  {
    id: uuid('Identifier.'),
    code: text('Code of the service.'),
    label: nullableText('Displayed name.'),
    status: text('Usually `active`.'),
    start: nullableTime('Start of validity.'),
    end: nullableTime('End of validity, exclusive.'),
  },
  { $id: 'CmsService', additionalProperties: true, description: "A service of a room's current guest." },
)

const CmsArea = Type.Object(
  {
    id: text('Short id, unique in its facility.'),
    id_external: text('Full id.'),
    name: text('Displayed name.'),
    opened_at: nullableTime('When the room was opened; null while it is closed.'),
    cycle: nullableText('Id of the cycle; null while the room is closed.'),
    data_general: notes,
    services_count: count('Services of the current guest.'),
    services_valid: count('Services that are valid now.'),
    services: Type.Optional(
      Type.Array(Type.Ref('CmsService'), { description: 'Present for editors and administrators only.' }),
    ),
    date_created: dateTime('When the area was created.'),
    date_updated: dateTime('When the area or its services last changed.'),
  },
  { $id: 'CmsArea', description: 'A room, zone or space.' },
)

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

interface Service {
  start: string | null
  end: string | null
}

/** Viewers see only the number of services, because services reveal something about the guest. */
export function areaView({ operator }: CmsContext, { short, json }: StoredArea) {
  const { data_services: services, ...area } = parseExactly(json) as { data_services: Service[] }
  const now = new Date().toISOString()
  return {
    id: short,
    ...area,
    services_count: services.length,
    services_valid: services.filter((service) => isValid(service, now)).length,
    ...(hasRole(operator.role, 'editor') && { services }),
  }
}

function isValid({ start, end }: Service, now: string): boolean {
  return (start === null || start <= now) && (end === null || end > now)
}
