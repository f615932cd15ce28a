import { type Kind, names } from '../../harness/grant-names.ts'
import { facilities, kinds, type Partner } from './world.ts'

/** `unknown` is an area that the clinic does not have. */
export type Target = 'clinic' | 'hotel' | 'hidden' | 'absent' | 'unknown'

export interface Row {
  /** The kind of thing in the path. */
  on: 'nothing' | 'facility' | 'area'
  needs?: [Kind, string]
  /** A grant that suffices too. */
  orNeeds?: [Kind, string]
  /** A grant that is required too. */
  andNeeds?: [Kind, string]
  /** The required permission of the partner as a whole. */
  right?: 'webhooks'
  /** For sandboxes only: none of these partners is one, and sandboxes have their own tests. */
  sandbox?: true
}

/** Every route of `/v1` with the grant it needs. A route without a row here fails the test. */
export const matrix: Record<string, Row> = {
  'GET /v1/facilities/': { on: 'nothing' },
  'GET /v1/me': { on: 'nothing' },
  'GET /v1/events': { on: 'nothing' },
  'GET /v1/requests': { on: 'nothing' },
  'GET /v1/webhooks': { on: 'nothing', right: 'webhooks' },
  'POST /v1/webhooks': { on: 'nothing', right: 'webhooks' },
  'GET /v1/webhooks/{webhookId}': { on: 'nothing', right: 'webhooks' },
  'PATCH /v1/webhooks/{webhookId}': { on: 'nothing', right: 'webhooks' },
  'DELETE /v1/webhooks/{webhookId}': { on: 'nothing', right: 'webhooks' },
  'POST /v1/webhooks/{webhookId}/ping': { on: 'nothing', right: 'webhooks' },
  'POST /v1/webhooks/{webhookId}/rotate': { on: 'nothing', right: 'webhooks' },
  'GET /v1/webhooks/{webhookId}/deliveries': { on: 'nothing', right: 'webhooks' },
  'POST /v1/webhooks/{webhookId}/replay': { on: 'nothing', right: 'webhooks' },
  'GET /v1/sandbox': { on: 'nothing', sandbox: true },
  'POST /v1/sandbox/reset': { on: 'nothing', sandbox: true },
  'POST /v1/sandbox/clock': { on: 'nothing', sandbox: true },
  'GET /v1/facilities/{facilityExternalId}/': { on: 'facility' },
  'GET /v1/facilities/{facilityExternalId}/areas': { on: 'facility', needs: ['read', 'areas'] },
  'GET /v1/facilities/{facilityExternalId}/areas_autocomplete_list': {
    on: 'facility',
    needs: ['read', 'areas_autocomplete_list'],
  },
  'PATCH /v1/facilities/{facilityExternalId}/areas_autocomplete_list': {
    on: 'facility',
    needs: ['write', 'areas_autocomplete_list'],
  },
  'PATCH /v1/facilities/{facilityExternalId}/name': { on: 'facility', needs: ['write', 'name'] },
  'PATCH /v1/facilities/{facilityExternalId}/ssid_public': { on: 'facility', needs: ['write', 'ssid_public'] },
  'PATCH /v1/facilities/{facilityExternalId}/subscription_url': {
    on: 'facility',
    needs: ['write', 'subscription_url'],
  },
  // Each operation needs its own grant, and has its own result.
  'POST /v1/facilities/{facilityExternalId}/areas/bulk': { on: 'facility' },
  'GET /v1/areas/{areaExternalId}/': { on: 'area', needs: ['read', 'areas'] },
  'POST /v1/areas/{areaExternalId}/': { on: 'area', needs: ['rooms', 'open_close'] },
  'DELETE /v1/areas/{areaExternalId}/': { on: 'area', needs: ['rooms', 'open_close'] },
  'POST /v1/areas/{areaExternalId}/move': {
    on: 'area',
    needs: ['rooms', 'open_close'],
    andNeeds: ['rooms', 'services'],
  },
  'GET /v1/areas/{areaExternalId}/data_services': {
    on: 'area',
    needs: ['read', 'areas'],
    orNeeds: ['rooms', 'services'],
  },
  'POST /v1/areas/{areaExternalId}/data_services': { on: 'area', needs: ['rooms', 'services'] },
  'PUT /v1/areas/{areaExternalId}/data_services': { on: 'area', needs: ['rooms', 'services'] },
  'PATCH /v1/areas/{areaExternalId}/data_services/{serviceId}': { on: 'area', needs: ['rooms', 'services'] },
  'DELETE /v1/areas/{areaExternalId}/data_services/{serviceId}': { on: 'area', needs: ['rooms', 'services'] },
}

export const targetsOf: Record<Row['on'], Target[]> = {
  nothing: ['clinic'],
  facility: ['clinic', 'hotel', 'hidden', 'absent'],
  area: ['clinic', 'hotel', 'hidden', 'absent', 'unknown'],
}

export interface Cell {
  partner: Partner
  route: string
  target: Target
}

export interface Verdict {
  status: number
  code?: string
  required?: Record<string, string>
  /** The members of the facility, or the facilities of the list. */
  shows?: string[]
}

/** Returns the expected outcome of a cell: existence and visibility first, then the grant, then the installation. */
export function verdict({ partner, route, target }: Cell): Verdict {
  const { on, needs: first, orNeeds, andNeeds, right, sandbox } = matrix[route] as Row
  const isInstead = orNeeds && has(partner, target, ...orNeeds) && !(first && has(partner, target, ...first))
  const needs = isInstead ? orNeeds : first
  if (sandbox) return { status: 403, code: 'sandbox_required' }
  if (right !== undefined)
    return partner.webhooks ? ofWebhooks(route) : { status: 403, code: 'not_granted', required: { right } }
  if (on === 'nothing') return route.endsWith('/') ? { status: 200, shows: listFor(partner) } : { status: 200 }
  const exists = facilities.some(({ id_external }) => id_external === target)
  const visible = target !== 'unknown' && covering(partner, target).length > 0
  if (on === 'facility' && !visible) return { status: 403, code: 'facility_not_granted' }
  if (on === 'facility' && !exists) return { status: 404, code: 'facility_not_found' }
  if (on === 'area' && !(visible && exists)) return { status: 404, code: 'area_not_found' }
  const all = [needs, andNeeds].filter((one) => one !== undefined)
  const missing = all.find((one) => !has(partner, target, ...one))
  if (missing) return { status: 403, code: 'not_granted', required: { facility: target, [missing[0]]: missing[1] } }
  if (all.some(([, name]) => name === 'services') && target === 'hotel')
    return { status: 403, code: 'room_services_unsupported' }
  return route === 'GET /v1/facilities/{facilityExternalId}/'
    ? { status: 200, shows: fieldsFor(partner, target) }
    : { status: 200 }
}

/** There are no webhooks, and the request to create one has no body. */
function ofWebhooks(route: string): Verdict {
  if (route.includes('{webhookId}')) return { status: 404, code: 'webhook_not_found' }
  return route.startsWith('GET') ? { status: 200 } : { status: 415, code: 'body_type_unsupported' }
}

function covering(partner: Partner, facility: string): Partner['grants'] {
  return partner.grants.filter((grant) => grant.facilities === '*' || grant.facilities.includes(facility))
}

export function has(partner: Partner, facility: string, kind: Kind, name: string): boolean {
  return covering(partner, facility).some((grant) => grant[kind] === '*' || grant[kind].includes(name))
}

function listFor(partner: Partner): string[] {
  return facilities.map(({ id_external }) => id_external).filter((facility) => covering(partner, facility).length > 0)
}

const keyOf: Record<string, string> = {
  areas: 'areas_count',
  areas_autocomplete_list: 'areas_autocomplete_list_count',
}

function fieldsFor(partner: Partner, facility: string): string[] {
  const granted = names.read.filter((name) => has(partner, facility, 'read', name))
  return ['id', 'id_external', 'name', 'status', ...granted.map((name) => keyOf[name] ?? name)].sort()
}

/** The grants of `/v1/me`: one entry per named facility, and one for all others. */
export function addedUp(partner: Partner): Record<string, unknown> {
  const named = partner.grants.flatMap((grant) => (grant.facilities === '*' ? [] : grant.facilities))
  const star = partner.grants.some((grant) => grant.facilities === '*')
  const rows = [...(star ? ['*'] : []), ...named].map((facility) => [
    facility,
    Object.fromEntries(kinds.map((kind) => [kind, names[kind].filter((name) => has(partner, facility, kind, name))])),
  ])
  return Object.fromEntries(rows)
}
