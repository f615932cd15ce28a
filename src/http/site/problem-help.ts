import type { RefusalCode } from '../../domain/refusal.ts'

/** Texts of the pages that the `type` of a problem links to: what happened and what the developer can do about it. */
export const help: Record<Exclude<RefusalCode, 'cycle_ended_for_key'>, string> = {
  request_malformed:
    'The request is not valid HTTP or its URL cannot be read. Check the request line, the Host header and the percent-encoding of the path.',
  header_repeated:
    'Host, Authorization, Content-Type, Idempotency-Key and Atrium-Cycle may each be sent once. Send the one that is meant.',
  header_invalid:
    'The detail says which header is wrong and what it takes. Atrium-Cycle takes the "cycle" of an area, which is a UUID.',
  headers_too_large:
    'The path and the headers together exceed the limit of this installation. Send fewer or shorter headers.',
  request_timeout: 'The request did not arrive completely in time. Send it again.',
  route_not_found: 'Nothing is served at this path. The routes are listed in the API reference at /docs.',
  method_not_allowed: 'The path exists, but not with this method. The Allow header lists the methods it takes.',
  token_missing:
    'Every /v1 route needs the header "Authorization: Bearer <token>". Ask the operator of this installation for a token.',
  token_invalid: 'The token is unknown, mistyped, expired or revoked. Check it, or ask the operator for a new one.',
  address_not_allowed:
    'This token can only be used from certain addresses, and the request came from another one. Ask the operator to extend the allowed ranges.',
  rate_limited:
    'The token has used up its requests for the moment, or too many wrong tokens came from one address. Wait for the seconds in Retry-After. The RateLimit headers of every response say how many requests are left.',
  facility_not_granted:
    'No grant of the partner covers this facility; whether it exists is not said. GET /v1/me lists what the token may do.',
  facility_not_found:
    'There is no facility with this external id. Ids are compared byte by byte, upper and lower case included.',
  not_granted:
    'The facility is visible, but this field or operation is not granted. The member "required" of the problem names the missing grant; the operator can add it.',
  area_not_found:
    'No area of the facilities that the partner can see has this id. Areas are named by their full id, facility and short id joined by a hyphen.',
  room_services_unsupported:
    'The installation of this facility does not manage services per room. The operator switches this on in the facility.',
  service_not_found:
    "The id is not among the subscriptions of the room's current cycle. Opening or closing the room removes them all.",
  precondition_failed:
    'The ETag in If-Match is not the current one: the resource was changed since you read it. Read it again, decide, and send the new ETag.',
  cycle_ended:
    'The room is not in the cycle that was meant: it was opened or closed since. Nothing was changed. Read the room, and decide whether the request still makes sense for the guest who is there now.',
  idempotency_key_invalid: 'An Idempotency-Key has 1 to 255 printable ASCII characters. A UUID is a good one.',
  idempotency_key_in_use:
    'The first request with this Idempotency-Key has not ended yet. Try again after the seconds in Retry-After.',
  idempotency_key_reused:
    'This key was used within 24 hours for a request with another body. Use a new key for a new request.',
  parameter_unknown:
    'A mistyped filter must not look like a full response, so unknown parameters are refused. The member "known" lists those the route takes.',
  parameter_invalid: 'The detail says which parameter is wrong and what it takes.',
  cursor_expired:
    'The events since this cursor are no longer available. Read facilities and rooms again, then follow events from now on, without "after".',
  body_type_unsupported: 'Send the body as JSON in UTF-8 with "Content-Type: application/json".',
  body_too_large: 'The body exceeds the limit of this installation. Send less at once.',
  body_not_json: 'The body must be one JSON object in UTF-8.',
  body_not_object: 'The body must be a JSON object with the key "value".',
  body_too_deep: 'Arrays and objects are nested deeper than the limit of this installation.',
  key_forbidden: 'The keys "__proto__", and "constructor" with a "prototype" in it, are refused wherever they stand.',
  text_forbidden: 'U+0000 and lone surrogates cannot be stored in text. Remove them.',
  value_missing: 'The body must be an object with the key "value".',
  value_not_string:
    '"value" must be a string that holds the JSON array, not the array itself: serialise the array first.',
  value_not_json: 'The string in "value" must be a serialised JSON array.',
  value_not_array: 'A JSON array of objects is expected.',
  value_invalid: 'The detail says what the property takes. Nothing was changed.',
  item_not_object: 'Every item of the array must be a JSON object. Nothing was changed.',
  item_invalid: 'The member "errors" says, item by item, what is wrong. One bad item and nothing is changed.',
  limit_exceeded: 'More was sent, or would be kept, than this installation allows. The detail names the limit.',
  sign_in_required:
    'The CMS is for operators: sign in at /console/, or send a key in the header "Authorization: Bearer atk_…".',
  sign_in_refused:
    'The e-mail address, the password or the link is wrong; the response does not say which. An administrator can set another password or create a link.',
  sign_in_slowed:
    'There were many wrong passwords from here or for this account, or many tries at this moment. Wait for the seconds in Retry-After; every further wrong try makes the wait longer.',
  single_sign_on_failed:
    'What the provider sent the browser back with is not the answer to what this browser began, is too old, or was used already. Begin again at /console/. If it goes on, the log has the reason: look for the request id.',
  single_sign_on_unavailable:
    'The OpenID provider of this installation cannot be reached, or does not answer as one. Try again after the seconds in Retry-After, or sign in with a password or a link.',
  key_invalid:
    'The operator key is unknown, mistyped, expired or revoked. Make a new one in the settings of the console.',
  key_not_found: 'There is no such operator key, or it belongs to another operator.',
  origin_refused:
    'A page of another site tried to change something with the cookie of an operator. Nothing was changed. Scripts use operator keys instead of cookies.',
  role_insufficient:
    'The role of the operator does not allow this. The member "required" names the role that does; an administrator can give it.',
  body_invalid: 'The member "errors" says, member by member, what is wrong. Nothing was changed.',
  operator_not_found: 'There is no operator with this id. GET /cms/v1/operators lists them.',
  operator_exists: 'Another operator has this e-mail address. Change that one, or use another address.',
  last_admin:
    'Without an administrator nobody could let operators in any more. Make another administrator first, then try again.',
  token_revoked: 'A revoked token or key cannot be restored. Create a new one.',
  facility_exists: 'Another facility has this external id. Change that one, or choose another id.',
  partner_not_found: 'There is no partner with this id. GET /cms/v1/partners lists them.',
  partner_exists: 'Another partner has this id. Change that one, or choose another id.',
  token_not_found:
    'There is no token with this id. The tokens of a partner are listed at /cms/v1/partners/{partnerId}/tokens.',
  sandbox_required:
    'This can be done in a sandbox alone, with a token that begins with `atr_test_`. The operator of the installation makes the sandbox and its tokens.',
  sandbox_exists: 'The partner has a sandbox already. Reset it, or remove it and make another.',
  sandbox_not_found: 'The partner has no sandbox. Make one first.',
  webhook_not_found:
    'There is no webhook with this id among those of the partner. The list of its webhooks names them.',
  webhook_exists:
    'The partner has a webhook with this address already. Change that one; a new secret for it can be had by rotating it.',
  webhook_unreachable:
    'A signed ping to the address got no 2xx within five seconds: the detail has the response. The address must be reachable from the Internet by HTTPS with a valid certificate, and respond without a redirect. Nothing was changed.',
  webhook_disabled:
    'Nothing is sent to a disabled webhook. Enable it with `active: true`: waiting events are sent at once.',
  area_exists: 'An area with this short id is in the facility already. Change that one, or choose another id.',
  range_invalid:
    'A range has two ends of the same form, the first before the second, such as 101-140 or A01-A20, and at most 5,000 ids between them.',
  device_not_found: 'There is no device with this id in the facility. GET /cms/v1/facilities/{facilityId} lists them.',
  audit_entry_not_found:
    'There is no entry with this number in the audit log. The list at /cms/v1/audit names those there are.',
  undo_impossible:
    'The detail says why: what a guest had and secrets are never kept, and entries of earlier versions do not say everything. Change it by hand; the entry says how it was, as far as it is kept.',
  undo_overtaken:
    'What the entry changed has been changed again. Look at the history, then change it to what it should be.',
  estate_conflict:
    'The change does not go together with the rest of the estate: the detail says with what. Nothing was changed.',
  database_unavailable:
    'The service cannot use its database at the moment. If the request was a change, it may or may not have been done: repeat it with the same Idempotency-Key, or read first. Try again after the seconds in Retry-After.',
  overloaded:
    'The node that was asked has more to do than it can, and nothing was changed. Try again after the seconds in Retry-After, and less often if it happens again.',
  not_ready:
    'This node cannot serve: it is stopping, or its database is out of reach. A load balancer should use another node.',
  metrics_not_allowed:
    'Metrics are answered to collectors on the same machine, which ask on the loopback address, and to those that send the key of an operator, "Authorization: Bearer atk_…".',
  internal_error:
    'Something went wrong inside the service. Give the request id to the operator: the log has the cause.',
}
