/** The codes of all refusals. http/pipeline/errors.ts maps each code to its HTTP status, title and explanation. */
export type RefusalCode =
  | 'request_malformed'
  | 'header_repeated'
  | 'header_invalid'
  | 'headers_too_large'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'token_missing'
  | 'token_invalid'
  | 'address_not_allowed'
  | 'rate_limited'
  | 'facility_not_granted'
  | 'facility_not_found'
  | 'not_granted'
  | 'area_not_found'
  | 'room_services_unsupported'
  | 'service_not_found'
  | 'room_not_open'
  | 'room_occupied'
  | 'precondition_failed'
  | 'cycle_ended'
  | 'cycle_ended_for_key'
  | 'not_attempted'
  | 'idempotency_key_invalid'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'
  | 'parameter_unknown'
  | 'parameter_invalid'
  | 'cursor_expired'
  | 'body_type_unsupported'
  | 'body_too_large'
  | 'body_not_json'
  | 'body_not_object'
  | 'body_too_deep'
  | 'key_forbidden'
  | 'text_forbidden'
  | 'value_missing'
  | 'value_not_string'
  | 'value_not_json'
  | 'value_not_array'
  | 'value_invalid'
  | 'item_not_object'
  | 'item_invalid'
  | 'limit_exceeded'
  | 'sign_in_required'
  | 'sign_in_refused'
  | 'sign_in_slowed'
  | 'single_sign_on_failed'
  | 'single_sign_on_unavailable'
  | 'key_invalid'
  | 'key_not_found'
  | 'origin_refused'
  | 'role_insufficient'
  | 'body_invalid'
  | 'operator_not_found'
  | 'operator_exists'
  | 'last_admin'
  | 'token_revoked'
  | 'token_exists'
  | 'estate_conflict'
  | 'device_not_found'
  | 'range_invalid'
  | 'area_exists'
  | 'token_not_found'
  | 'webhook_not_found'
  | 'webhook_exists'
  | 'webhook_unreachable'
  | 'webhook_disabled'
  | 'sandbox_required'
  | 'sandbox_exists'
  | 'sandbox_not_found'
  | 'partner_exists'
  | 'partner_not_found'
  | 'facility_exists'
  | 'audit_entry_not_found'
  | 'undo_impossible'
  | 'undo_overtaken'
  | 'database_unavailable'
  | 'overloaded'
  | 'not_ready'
  | 'metrics_not_allowed'
  | 'internal_error'

export interface Fault {
  /** A JSON Pointer (RFC 6901) into the body. In `{"value": "<JSON>"}` it continues into the JSON in the string. */
  pointer: string
  detail: string
}

export interface RefusalFacts {
  errors?: Fault[]
  required?: Record<string, string>
  known?: string[]
  retryAfterSeconds?: number
  allow?: string[]
}

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly facts: RefusalFacts

  constructor(code: RefusalCode, detail: string, facts: RefusalFacts = {}) {
    super(detail)
    this.name = 'Refusal'
    this.code = code
    this.facts = facts
  }
}

export function refusalAt(code: RefusalCode, pointer: string, detail: string): Refusal {
  return new Refusal(code, detail, { errors: [{ pointer, detail }] })
}

const maxFaults = 50

/** `outcome` says what the request did, such as "Nothing was added." */
export function refusalFor(code: RefusalCode, outcome: string, faults: Fault[]): Refusal {
  const [first] = faults as [Fault, ...Fault[]]
  const others = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const where = first.pointer === '' ? '' : `${first.pointer}: `
  return new Refusal(code, `${outcome} ${where}${first.detail}${others}`, {
    errors: faults.slice(0, maxFaults),
  })
}
