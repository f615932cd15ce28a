import type { RefusalCode } from '../../domain/refusal.ts'

/** Says what happened and what the developer can do about it. The `type` of a problem links to a page with it. */
export const help: Record<Exclude<RefusalCode, 'cycle_ended_for_key'>, string> = {
  request_malformed:
    'The request is not valid HTTP or its URL cannot be read. Check the method, the Host header and the percent-encoding of the path.',
  header_repeated:
    'The headers Host, Authorization, Content-Type, Idempotency-Key and Atrium-Cycle may each be sent once. Send only one of each.',
  header_invalid:
    'The detail names the invalid header and its form. Atrium-Cycle takes the "cycle" of an area, which is a UUID.',
  headers_too_large:
    'The path and the headers together exceed the limit of this installation. Send fewer or shorter headers.',
  request_timeout: 'The request did not arrive completely in time. Send it again.',
  route_not_found: 'There is no route with this path. The API reference at /docs lists all routes.',
  method_not_allowed: 'The path exists, but not with this method. The Allow header lists the methods that it accepts.',
  token_missing:
    'Every /v1 route needs the header "Authorization: Bearer <token>". Ask the operator of this installation for a token.',
  token_invalid: 'The token is unknown, mistyped, expired or revoked. Check it, or ask the operator for a new one.',
  address_not_allowed:
    'This token can only be used from certain addresses, and the request came from another one. Ask the operator to extend the allowed ranges.',
  rate_limited:
    'The token has used up its requests for now, or too many wrong tokens came from one address. Wait for the seconds in Retry-After. The RateLimit headers of every response say how many requests are left.',
  facility_not_granted:
    'No grant of the partner covers this facility. The response does not reveal whether the facility exists. GET /v1/me lists the permissions of the token.',
  facility_not_found: 'There is no facility with this external id. Ids are case-sensitive.',
  not_granted:
    'The facility is visible, but this field or operation is not granted. The member "required" of the problem names the missing grant; the operator can add it.',
  area_not_found:
    'No area with this id is in a facility that the partner can see. Use the full id: the id of the facility, a hyphen, and the short id.',
  room_services_unsupported:
    'The installation of this facility does not manage services per room. The operator can enable it in the settings of the facility.',
  service_not_found:
    "No subscription in the room's current cycle has this id. Opening or closing the room removes all subscriptions.",
  room_not_open:
    'The room is closed, so there is no guest to move. GET /v1/areas/{areaExternalId}/ shows its "cycle", which is null while it is closed. Nothing was changed.',
  room_occupied:
    'The room that was to be closed, such as the one that a guest is to move to, is open: another guest is in it. Choose another room, or close that one first. Nothing was changed.',
  precondition_failed:
    'The ETag in If-Match is not current: the resource has changed since you read it. Read it again, decide whether your change still applies, and send it with the new ETag.',
  cycle_ended:
    'The room is no longer in the cycle of the request: it was opened or closed since. Nothing was changed. Read the room, and decide whether the request still applies to the present guest.',
  not_attempted:
    'An operation of a call that changes many rooms was not attempted, because another one failed: with the mode "all" any other, with "each" an earlier one on the same room. Nothing was changed in the room. Repair the one that failed, and send both again.',
  idempotency_key_invalid: 'An Idempotency-Key has 1 to 255 printable ASCII characters. Use a UUID.',
  idempotency_key_in_use:
    'The first request with this Idempotency-Key is still running. Try again after the seconds in Retry-After.',
  idempotency_key_reused:
    'This key was used within 24 hours for a request with another body. Use a new key for a new request.',
  parameter_unknown:
    'The route does not have a query parameter that was sent. Unknown parameters are refused, since a mistyped filter would return the complete list. The member "known" lists the parameters of the route.',
  parameter_invalid: 'The detail names the invalid parameter and its accepted values.',
  cursor_expired:
    'The events since this cursor are no longer available. Read facilities and rooms again, then follow events from now on, without "after".',
  body_type_unsupported: 'Send the body as JSON in UTF-8 with "Content-Type: application/json".',
  body_too_large: 'The body exceeds the limit of this installation. Send less per request.',
  body_not_json: 'The body must be one JSON object in UTF-8.',
  body_not_object: 'The body must be a JSON object with the key "value".',
  body_too_deep: 'Arrays and objects are nested deeper than the limit of this installation.',
  key_forbidden: 'The keys "__proto__", and "constructor" with a "prototype" in it, are refused anywhere in the body.',
  text_forbidden: 'U+0000 and lone surrogates cannot be stored in text. Remove them.',
  value_missing: 'The body must be an object with the key "value".',
  value_not_string:
    '"value" must be a string that holds the JSON array, not the array itself: serialize the array first.',
  value_not_json: 'The string in "value" must be a serialized JSON array.',
  value_not_array: 'A JSON array of objects is expected.',
  value_invalid: 'The detail names the accepted values of the property. Nothing was changed.',
  item_not_object: 'Every item of the array must be a JSON object. Nothing was changed.',
  item_invalid: 'The member "errors" lists what is wrong with which item. If one item is invalid, nothing is changed.',
  limit_exceeded:
    'The request, or the data after it, would exceed a limit of this installation. The detail names the limit.',
  sign_in_required:
    'The CMS is for operators: sign in at /console/, or send a key in the header "Authorization: Bearer atk_…".',
  sign_in_refused:
    'The e-mail address, the password or the link is wrong; the response does not say which. An administrator can set another password or create a link.',
  sign_in_slowed:
    'There were many failed sign-ins from this address or for this account. Wait for the seconds in Retry-After; each further failure doubles the wait.',
  single_sign_on_failed:
    'The response of the provider does not belong to this sign-in, is too old, or was already used. Start again at /console/. If it happens again, search the log for the request id: it has the reason.',
  single_sign_on_unavailable:
    'The OpenID provider of this installation cannot be reached, or its response is invalid. Try again after the seconds in Retry-After, or sign in with a password or a link.',
  key_invalid:
    'The operator key is unknown, mistyped, expired or revoked. Create a new one in the settings of the console.',
  key_not_found: 'There is no such operator key, or it belongs to another operator.',
  origin_refused:
    'A page of another site tried to change something with the cookie of an operator. Nothing was changed. Scripts use operator keys instead of cookies.',
  role_insufficient:
    'The role of the operator does not allow this. The member "required" names the lowest role that does. An administrator can change the role.',
  body_invalid: 'The member "errors" lists what is wrong with which member of the body. Nothing was changed.',
  operator_not_found: 'There is no operator with this id. GET /cms/v1/operators lists them.',
  operator_exists: 'Another operator has this e-mail address. Change that one, or use another address.',
  last_admin:
    'This is the last administrator who can sign in. Without one, no operator could be added or enabled. Create another administrator first, then try again.',
  token_exists: 'A token with this hash exists already, perhaps a revoked one. One secret belongs to one partner only.',
  token_revoked: 'A revoked token or key cannot be restored. Create a new one.',
  facility_exists: 'Another facility has this external id. Change that one, or choose another id.',
  partner_not_found: 'There is no partner with this id. GET /cms/v1/partners lists them.',
  partner_exists: 'Another partner has this id. Change that one, or choose another id.',
  token_not_found:
    'There is no token with this id. The tokens of a partner are listed at /cms/v1/partners/{partnerId}/tokens.',
  sandbox_required:
    'This route works only in a sandbox, with a token that begins with `atr_test_`. The operator of the installation creates the sandbox and its tokens.',
  sandbox_exists: 'The partner already has a sandbox. Reset it, or remove it and create another.',
  sandbox_not_found: 'The partner has no sandbox. Create one first.',
  webhook_not_found: 'The partner has no webhook with this id. GET /v1/webhooks lists its webhooks.',
  webhook_exists: 'The partner already has a webhook with this address. Change that one; rotate it for a new secret.',
  webhook_unreachable:
    'A signed ping to the address did not get a 2xx response within five seconds; the detail has the result. The address must be reachable from the Internet by HTTPS with a valid certificate, and respond without a redirect. Nothing was changed.',
  webhook_disabled:
    'Nothing is sent to a disabled webhook. Enable it with `active: true`: waiting events are sent at once.',
  area_exists: 'The facility already has an area with this short id. Change that one, or choose another id.',
  range_invalid:
    'A range has two ends of the same form, the first before the second, such as 101-140 or A01-A20, and at most 5,000 ids between them.',
  device_not_found: 'There is no device with this id in the facility. GET /cms/v1/facilities/{facilityId} lists them.',
  audit_entry_not_found: 'There is no entry with this number in the audit log. GET /cms/v1/audit lists the entries.',
  undo_impossible:
    'The detail has the reason: guest data and secrets are not stored, and entries of earlier versions are incomplete. Make the change by hand; the entry has the earlier values, as far as they are stored.',
  undo_overtaken:
    'The same values have been changed again since this entry. Look at the history, then make the change by hand.',
  estate_conflict: 'The change conflicts with the rest of the estate, as the detail explains. Nothing was changed.',
  database_unavailable:
    'The service cannot use its database at the moment. If the request was a change, it may or may not have been carried out: repeat it with the same Idempotency-Key, or read first. Try again after the seconds in Retry-After.',
  overloaded:
    'The node has more requests than it can handle. Nothing was changed. Try again after the seconds in Retry-After, and wait longer if it happens again.',
  not_ready:
    'This node is stopping, is starting and waits for a migration, or cannot reach its database. A load balancer should use another node.',
  metrics_not_allowed:
    'Metrics are served on the loopback address of the same machine, and to requests with an operator key: "Authorization: Bearer atk_…".',
  internal_error: 'An unexpected error in the service. Report the request id to the operator: the log has the cause.',
}
