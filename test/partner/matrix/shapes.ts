import assert from 'node:assert/strict'
import { names } from '../../harness/grant-names.ts'
import { addedUp, has } from './oracle.ts'
import type { Result } from './run.ts'
import { canary, facilities } from './world.ts'

const summary = ['id', 'id_external', 'name', 'status']
const area = [
  'cycle',
  'data_general',
  'data_services',
  'date_created',
  'date_updated',
  'id_external',
  'name',
  'opened_at',
]
const loggedRequest = [
  ...['area', 'at', 'code', 'duration_ms', 'facility', 'method'],
  ...['request_id', 'route', 'status', 'token'],
]
const subscription = ['code', 'end', 'id', 'label', 'start', 'status']

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Body = any

function keys(value: object, expected: string[]): void {
  assert.deepEqual(Object.keys(value).sort(), expected)
}

function each(list: object[], expected: string[]): void {
  for (const item of list) keys(item, expected)
}

/** Routes that need an existing webhook or sandbox have their own tests. */
const elsewhere = [
  'GET /v1/sandbox',
  'POST /v1/sandbox/reset',
  'POST /v1/sandbox/clock',
  'POST /v1/webhooks',
  ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} /v1/webhooks/{webhookId}`),
  ...['POST ping', 'POST rotate', 'GET deliveries', 'POST replay'].map((action) =>
    action.replace(' ', ' /v1/webhooks/{webhookId}/'),
  ),
]

/** The exact members of each route's successful response. */
export const shapes: Record<string, (body: Body, result: Result) => void> = {
  'GET /v1/facilities/': (body) => each(body, summary),
  'GET /v1/me': (body, { cell }) => {
    keys(body, ['contract', 'grants', 'partner', 'rate_limit', 'token'])
    assert.equal(body.contract, null)
    assert.deepEqual(body.partner, { id: cell.partner.id, name: cell.partner.name })
    const rows = body.grants.map(({ facility, ...rights }: { facility: string }) => [facility, rights])
    assert.deepEqual(Object.fromEntries(rows), addedUp(cell.partner))
  },
  // An empty page: the visibility of events has its own matrix.
  'GET /v1/events': (body) => {
    keys(body, ['data', 'next'])
    assert.deepEqual(body.data, [])
  },
  'GET /v1/requests': (body) => each(body, loggedRequest),
  'GET /v1/webhooks': (body) => assert.deepEqual(body, []),
  ...Object.fromEntries(elsewhere.map((route) => [route, () => assert.fail('there is none')])),
  'GET /v1/facilities/{facilityExternalId}/': (body, { cell }) => assert.equal(body.id_external, cell.target),
  'GET /v1/facilities/{facilityExternalId}/areas': (body) => {
    assert.equal(body.length, 2)
    each(body, area)
  },
  'GET /v1/facilities/{facilityExternalId}/areas_autocomplete_list': (body) => {
    keys(body, ['areas_autocomplete_list'])
    each(body.areas_autocomplete_list, ['id_external', 'name'])
  },
  'PATCH /v1/facilities/{facilityExternalId}/areas_autocomplete_list': (body, { cell }) => {
    const name = canary(cell.target, 'areas_autocomplete_list')
    assert.deepEqual(body, { areas_autocomplete_list: [{ id_external: `${cell.target}-1`, name }] })
  },
  'PATCH /v1/facilities/{facilityExternalId}/name': (body, { sent }) => assert.deepEqual(body, { name: sent.value }),
  'PATCH /v1/facilities/{facilityExternalId}/ssid_public': (body, { sent }) =>
    assert.deepEqual(body, { ssid_public: sent.value }),
  'PATCH /v1/facilities/{facilityExternalId}/subscription_url': (body, { sent }) =>
    assert.deepEqual(body, { subscription_url: sent.value }),
  'POST /v1/facilities/{facilityExternalId}/areas/bulk': ({ results }, { cell: { partner, target } }) => {
    const shown = has(partner, target, 'read', 'areas') ? area : area.filter((key) => key !== 'data_general')
    const outcomes = results.map(({ status, area: room, problem }: Body) => {
      if (room !== undefined) keys(room, shown)
      return problem?.code ?? status
    })
    const services = has(partner, target, 'rooms', 'services')
    assert.deepEqual(outcomes, [
      has(partner, target, 'rooms', 'open_close') ? 200 : 'not_granted',
      services && target !== 'hotel' ? 200 : services ? 'room_services_unsupported' : 'not_granted',
      'area_not_found',
    ])
  },
  'GET /v1/areas/{areaExternalId}/': (body, { cell }) => {
    keys(body, area)
    assert.equal(body.id_external, `${cell.target}-1`)
  },
  'POST /v1/areas/{areaExternalId}/': (body, result) => room(body, result, true),
  'DELETE /v1/areas/{areaExternalId}/': (body, result) => room(body, result, false),
  'GET /v1/areas/{areaExternalId}/data_services': (body) => {
    keys(body, ['data_services'])
    each(body.data_services, subscription)
  },
  'POST /v1/areas/{areaExternalId}/data_services': (body) => {
    keys(body, ['info', 'services'])
    keys(body.services, ['data_services'])
    each(body.services.data_services, subscription)
    assert.equal(body.services.data_services.at(-1).code, 'tv')
  },
  'POST /v1/areas/{areaExternalId}/move': (body, result) => {
    keys(body, ['from', 'info', 'to'])
    isRoom(body.from.area, result, false)
    isRoom(body.to.area, result, true)
    assert.deepEqual(
      [body.from.area, body.to.area].map(({ id_external: id }) => id.at(-1)),
      ['2', '1'],
    )
  },
  'PUT /v1/areas/{areaExternalId}/data_services': (body) => {
    keys(body, ['info', 'services'])
    keys(body.services, ['data_services'])
    each(body.services.data_services, subscription)
    assert.deepEqual(
      body.services.data_services.map(({ code }: { code: string }) => code),
      ['tv'],
    )
  },
  'PATCH /v1/areas/{areaExternalId}/data_services/{serviceId}': (body, { sent }) => {
    keys(body, ['id', 'info', 'services'])
    assert.equal(body.id, sent.serviceId)
    each(body.services.data_services, subscription)
    const changed = body.services.data_services.find(({ id }: { id: string }) => id === sent.serviceId)
    assert.equal(changed.label, 'Changed')
  },
  'DELETE /v1/areas/{areaExternalId}/data_services/{serviceId}': (body, { sent }) => {
    keys(body, ['id', 'info', 'remaining_services'])
    assert.equal(body.id, sent.serviceId)
    each(body.remaining_services, subscription)
  },
}

function room(body: Body, result: Result, open: boolean): void {
  keys(body, ['area', 'info'])
  isRoom(body.area, result, open)
}

function isRoom(found: Body, { cell: { partner, target } }: Result, open: boolean): void {
  const mayRead = has(partner, target, 'read', 'areas')
  keys(found, mayRead ? area : area.filter((key) => key !== 'data_general'))
  assert.equal(found.cycle !== null, open)
  assert.deepEqual(found.data_services, [])
}

const opening = /^(POST|DELETE) \/v1\/areas\/\{areaExternalId\}\/(move)?$|\/areas\/bulk$/

/** Returns the canaries in a response that its caller may not read. Opening, closing and moving return the room. */
export function leaks({ cell, sent, answer }: Result): string[] {
  const own = JSON.stringify(sent.value ?? '')
  return facilities.flatMap(({ id_external: facility }) =>
    names.read
      .filter((field) => shows(answer.text, facility, field) && !shows(own, facility, field))
      .filter((field) => !has(cell.partner, facility, 'read', field))
      .filter((field) => !(field === 'areas' && opening.test(cell.route) && answer.status === 200))
      .map((field) => `${cell.partner.id}: ${cell.route} on ${cell.target} shows ${facility}'s ${field}`),
  )
}

function shows(text: string, facility: string, field: string): boolean {
  return text.includes(canary(facility, field))
}
