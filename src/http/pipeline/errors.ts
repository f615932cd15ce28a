import { Refusal, type RefusalCode } from '../../domain/refusal.ts'

interface Meaning {
  status: number
  title: string
  /** The code in the response, if it differs from the code that the program uses. */
  code?: string
}

/** The only place that assigns statuses. The help texts are in site/problem-help.ts. */
export const meanings: Record<RefusalCode, Meaning> = {
  request_malformed: { status: 400, title: 'Malformed request' },
  header_repeated: { status: 400, title: 'Repeated header' },
  header_invalid: { status: 400, title: 'Header not valid' },
  headers_too_large: { status: 431, title: 'Path and headers too large' },
  request_timeout: { status: 408, title: 'Request timed out' },
  route_not_found: { status: 404, title: 'No such route' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  token_missing: { status: 401, title: 'Token missing' },
  token_invalid: { status: 401, title: 'Token not valid' },
  address_not_allowed: { status: 403, title: 'Address not allowed' },
  rate_limited: { status: 429, title: 'Too many requests' },
  facility_not_granted: { status: 403, title: 'Facility not granted' },
  facility_not_found: { status: 404, title: 'Facility not found' },
  not_granted: { status: 403, title: 'Not granted' },
  area_not_found: { status: 404, title: 'Area not found' },
  room_services_unsupported: { status: 403, title: 'No per-room services' },
  service_not_found: { status: 404, title: 'Subscription not found' },
  room_not_open: { status: 409, title: 'Room is closed' },
  room_occupied: { status: 409, title: 'Room is occupied' },
  precondition_failed: { status: 412, title: 'Changed since it was read' },
  cycle_ended: { status: 412, title: 'Cycle ended' },
  cycle_ended_for_key: { status: 409, title: 'Cycle ended', code: 'cycle_ended' },
  not_attempted: { status: 424, title: 'Not attempted' },
  idempotency_key_invalid: { status: 400, title: 'Idempotency-Key not valid' },
  idempotency_key_in_use: { status: 409, title: 'First request still running' },
  idempotency_key_reused: { status: 422, title: 'Idempotency-Key used with another body' },
  parameter_unknown: { status: 400, title: 'Unknown query parameter' },
  parameter_invalid: { status: 400, title: 'Query parameter not valid' },
  cursor_expired: { status: 410, title: 'Cursor expired' },
  body_type_unsupported: { status: 415, title: 'Content type not supported' },
  body_too_large: { status: 413, title: 'Body too large' },
  body_not_json: { status: 400, title: 'Body is not JSON' },
  body_not_object: { status: 400, title: 'Body is not an object' },
  body_too_deep: { status: 400, title: 'JSON nested too deep' },
  key_forbidden: { status: 400, title: 'Key not accepted' },
  text_forbidden: { status: 400, title: 'Character not accepted' },
  value_missing: { status: 400, title: '"value" is missing' },
  value_not_string: { status: 400, title: '"value" is not a string' },
  value_not_json: { status: 400, title: '"value" does not hold JSON' },
  value_not_array: { status: 400, title: '"value" is not an array' },
  value_invalid: { status: 400, title: '"value" is not valid' },
  item_not_object: { status: 400, title: 'Item is not an object' },
  item_invalid: { status: 400, title: 'Item not valid' },
  limit_exceeded: { status: 400, title: 'Limit exceeded' },
  sign_in_required: { status: 401, title: 'Sign-in required' },
  sign_in_refused: { status: 401, title: 'Sign-in refused' },
  sign_in_slowed: { status: 429, title: 'Too many failed attempts' },
  single_sign_on_failed: { status: 401, title: 'Single sign-on failed' },
  single_sign_on_unavailable: { status: 503, title: 'Single sign-on unavailable' },
  key_invalid: { status: 401, title: 'Operator key not valid' },
  key_not_found: { status: 404, title: 'Operator key not found' },
  origin_refused: { status: 403, title: 'Request from another site' },
  role_insufficient: { status: 403, title: 'Role not sufficient' },
  body_invalid: { status: 400, title: 'Body not valid' },
  operator_not_found: { status: 404, title: 'Operator not found' },
  operator_exists: { status: 409, title: 'Operator exists' },
  last_admin: { status: 409, title: 'Last administrator' },
  token_revoked: { status: 409, title: 'Already revoked' },
  token_exists: { status: 409, title: 'Token exists' },
  facility_exists: { status: 409, title: 'Facility exists' },
  partner_not_found: { status: 404, title: 'Partner not found' },
  partner_exists: { status: 409, title: 'Partner exists' },
  token_not_found: { status: 404, title: 'Token not found' },
  webhook_not_found: { status: 404, title: 'Webhook not found' },
  webhook_exists: { status: 409, title: 'Webhook exists' },
  webhook_unreachable: { status: 422, title: 'Webhook did not accept the ping' },
  webhook_disabled: { status: 409, title: 'Webhook is disabled' },
  sandbox_required: { status: 403, title: 'Only in a sandbox' },
  sandbox_exists: { status: 409, title: 'Sandbox exists' },
  sandbox_not_found: { status: 404, title: 'Sandbox not found' },
  area_exists: { status: 409, title: 'Area exists' },
  range_invalid: { status: 400, title: 'Range not valid' },
  device_not_found: { status: 404, title: 'Device not found' },
  audit_entry_not_found: { status: 404, title: 'Entry not found' },
  undo_impossible: { status: 409, title: 'Cannot be undone' },
  undo_overtaken: { status: 409, title: 'Changed again since' },
  estate_conflict: { status: 409, title: 'Conflict within the estate' },
  database_unavailable: { status: 503, title: 'Temporarily unavailable' },
  overloaded: { status: 503, title: 'Node overloaded' },
  not_ready: { status: 503, title: 'Not ready' },
  metrics_not_allowed: { status: 403, title: 'Metrics not allowed' },
  internal_error: { status: 500, title: 'Internal error' },
}

export function publicCode(code: RefusalCode): string {
  return meanings[code].code ?? code
}

interface Problem {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** Returns the problem (RFC 9457) for a refusal. Quotes nothing of the request but its id. */
export function problemOf(refusal: Refusal, requestId: string): Problem {
  const { status, title } = meanings[refusal.code]
  const code = publicCode(refusal.code)
  const { errors, required, known } = refusal.facts
  return {
    status,
    headers: headersOf(refusal),
    body: {
      type: `/problems/${code}`,
      title,
      status,
      detail: refusal.message,
      instance: `urn:atrium:request:${requestId}`,
      code,
      request_id: requestId,
      ...(errors && { errors }),
      ...(required && { required }),
      ...(known && { known }),
    },
  }
}

const challenges: Partial<Record<RefusalCode, string>> = {
  token_missing: 'Bearer realm="atrium"',
  token_invalid: 'Bearer realm="atrium", error="invalid_token"',
  not_granted: 'Bearer realm="atrium", error="insufficient_scope"',
  sign_in_required: 'Bearer realm="atrium-cms"',
  key_invalid: 'Bearer realm="atrium-cms", error="invalid_token"',
}

function headersOf({ code, facts }: Refusal): Record<string, string> {
  const challenge = challenges[code]
  return {
    ...(challenge && { 'www-authenticate': challenge }),
    ...(facts.retryAfterSeconds !== undefined && { 'retry-after': String(facts.retryAfterSeconds) }),
    ...(facts.allow && { allow: facts.allow.join(', ') }),
  }
}

const nodeCodes: Record<string, RefusalCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const code = nodeCodes[String((error as { code?: unknown }).code)]
  if (code !== undefined) return new Refusal(code, `${meanings[code].title}.`)
  const refusal = new Refusal(
    'internal_error',
    'Something went wrong. The request id helps the operator to find out what.',
  )
  refusal.cause = error
  return refusal
}
