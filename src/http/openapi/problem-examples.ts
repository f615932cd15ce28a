import { notGranted } from '../../domain/access/grant.ts'
import { parseEntries } from '../../domain/autocomplete-list.ts'
import { parseFacilityProperty } from '../../domain/facility.ts'
import { parseJson } from '../../domain/json.ts'
import { assertCycleFormat, requireCurrent, requireCycle } from '../../domain/precondition.ts'
import { Refusal, type RefusalCode, refusalAt } from '../../domain/refusal.ts'
import { cursorExpired } from '../../domain/room/event-offset.ts'
import { parseLegacySubscriptions } from '../../domain/room/subscription.ts'
import { requireSandbox } from '../../domain/sandbox.ts'
import { parseNewWebhook } from '../../domain/webhook/webhook-body.ts'
import { notAttempted } from '../../operations/room/in-order.ts'
import { parameters } from '../partner/parameters.ts'
import { idempotencyKeyOf } from '../pipeline/conditions.ts'
import { asRefusal, meanings, problemOf } from '../pipeline/errors.ts'
import { parseQuery } from '../pipeline/query.ts'
import { routeNotFound } from '../pipeline/router.ts'
import { cmsSamples } from './cms-problem-examples.ts'
import type { Json } from './json-schema.ts'
import { defaultLimits } from './limits.ts'

const requestId = '7f0c1d9e-2b4a-4c38-9a57-1e6f80d3b2a4'

export function problemExamples(codes: RefusalCode[]): Json {
  return Object.fromEntries(
    codes.map((code) => {
      return [code, { summary: meanings[code].title, value: problemOf(samples[code], requestId).body }]
    }),
  )
}

const body = { pointer: '', maxDepth: defaultLimits.jsonDepth, malformed: 'body_not_json' } as const
const rules = { timezone: 'UTC', contract: null, limits: defaultLimits }
const add = (value: unknown) => parseLegacySubscriptions(value, rules)

/** Most examples come from the function that throws them. A test compares the others with real responses. */
export const samples: Record<RefusalCode, Refusal> = {
  request_malformed: new Refusal('request_malformed', 'This is not a valid HTTP request.'),
  header_repeated: new Refusal('header_repeated', 'The header "authorization" must be sent once.'),
  header_invalid: said(() => assertCycleFormat({ cycle: 'undefined' })),
  headers_too_large: asRefusal({ code: 'HPE_HEADER_OVERFLOW' }),
  request_timeout: asRefusal({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
  route_not_found: routeNotFound(),
  method_not_allowed: new Refusal('method_not_allowed', 'This path takes GET, HEAD.', { allow: ['GET', 'HEAD'] }),
  token_missing: new Refusal('token_missing', 'Send the header "Authorization: Bearer <token>".'),
  token_invalid: new Refusal('token_invalid', 'The token is unknown, expired or revoked.'),
  address_not_allowed: new Refusal('address_not_allowed', 'This token cannot be used from this address.'),
  rate_limited: new Refusal('rate_limited', 'This token may send 100 requests per second.', { retryAfterSeconds: 1 }),
  facility_not_granted: new Refusal('facility_not_granted', 'No grant of this partner covers this facility.'),
  facility_not_found: new Refusal('facility_not_found', 'There is no facility with this id.'),
  not_granted: notGranted('lyon-01', { write: 'ssid_public' }),
  area_not_found: new Refusal(
    'area_not_found',
    'There is no area with this id among the facilities this partner can see.',
  ),
  room_services_unsupported: new Refusal('room_services_unsupported', 'Facility lyon-01 has no per-room services.'),
  service_not_found: new Refusal('service_not_found', "This subscription is not in the room's current cycle."),
  room_not_open: new Refusal('room_not_open', 'Room chu-nord-214 is closed: it has no guest to move.'),
  room_occupied: new Refusal('room_occupied', 'Room chu-nord-215 is open: it has a guest already.'),
  precondition_failed: said(() => requireCurrent({ etags: [] }, '')),
  cycle_ended: said(() => requireCycle({ cycle: 'another' }, null)),
  cycle_ended_for_key: new Refusal(
    'cycle_ended_for_key',
    'The room was opened or closed since this Idempotency-Key was first used.',
  ),
  not_attempted: notAttempted(),
  idempotency_key_invalid: said(() => idempotencyKeyOf({ 'idempotency-key': '' })),
  idempotency_key_in_use: new Refusal(
    'idempotency_key_in_use',
    'The first request with this Idempotency-Key is still running.',
    { retryAfterSeconds: 1 },
  ),
  idempotency_key_reused: new Refusal(
    'idempotency_key_reused',
    'This Idempotency-Key was first used with another body: use a new key.',
  ),
  parameter_unknown: said(() => parseQuery(parameters, '/v1/facilities?state=active', ['limit', 'cursor', 'status'])),
  parameter_invalid: said(() => parseQuery(parameters, '/v1/facilities?limit=0', ['limit', 'cursor', 'status'])),
  cursor_expired: cursorExpired(),
  body_type_unsupported: new Refusal(
    'body_type_unsupported',
    'The body must be sent with "Content-Type: application/json".',
  ),
  body_too_large: new Refusal('body_too_large', `The body must have at most ${defaultLimits.bodyBytes} bytes.`),
  body_not_json: said(() => parseJson('{"value": ', body)),
  body_not_object: refusalAt('body_not_object', '', 'The body must be a JSON object with the key "value".'),
  body_too_deep: said(() => parseJson('['.repeat(defaultLimits.jsonDepth + 1), body)),
  key_forbidden: said(() => parseJson('{"value": {"__proto__": 1}}', body)),
  text_forbidden: said(() => parseJson('{"value": "\\u0000"}', body)),
  value_missing: new Refusal('value_missing', 'The key "value" is missing.', {
    errors: [{ pointer: '/value', detail: 'The key "value" is missing.' }],
  }),
  value_not_string: said(() => add([{ code: 'tv-premium' }])),
  value_not_json: said(() => add('tv-premium')),
  value_not_array: said(() => add('{"code": "tv-premium"}')),
  value_invalid: said(() => parseFacilityProperty('ssid_public', 'A network name that is too long for Wi-Fi')),
  item_not_object: said(() => add('["tv-premium"]')),
  item_invalid: said(() => add('[{"code": "tv-premium", "end": "tomorrow"}]')),
  limit_exceeded: said(() => parseEntries(Array(defaultLimits.listEntries + 1).fill({}), defaultLimits.listEntries)),
  body_invalid: said(() => parseNewWebhook({ url: 'receiver.example', types: '*' })),
  webhook_not_found: new Refusal('webhook_not_found', 'There is no webhook with this id.'),
  webhook_exists: new Refusal('webhook_exists', 'A webhook with this address exists already.'),
  webhook_unreachable: new Refusal(
    'webhook_unreachable',
    'The receiver did not accept the ping: response status 404. Nothing was changed.',
  ),
  sandbox_required: said(() => requireSandbox({ sandboxOf: undefined })),
  ...cmsSamples,
  overloaded: new Refusal('overloaded', 'This node is overloaded. Nothing was changed: try again in a second.', {
    retryAfterSeconds: 1,
  }),
  database_unavailable: new Refusal('database_unavailable', 'The database cannot be used at the moment.', {
    retryAfterSeconds: 1,
  }),
  not_ready: new Refusal('not_ready', 'This node is stopping.', { retryAfterSeconds: 1 }),
  metrics_not_allowed: new Refusal(
    'metrics_not_allowed',
    'Metrics are served to this machine and to requests with an operator key.',
  ),
  internal_error: asRefusal(new Error('unexpected')),
}

function said(attempt: () => unknown): Refusal {
  try {
    attempt()
  } catch (error) {
    if (error instanceof Refusal) return error
  }
  throw new Error(`an example of a refusal is none: ${attempt}`)
}
