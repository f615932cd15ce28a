import { formatRateLimit } from '../../domain/access/rate-limit.ts'
import { defaults, limitRows } from './limits.ts'
import { table } from './table.ts'

/** The introduction: what is true of every route, in the order in which an integrator needs it. */
export const guide = `
Atrium keeps the facilities of an operator (hotels, hospitals, residences) and their rooms. A partner application reads
them here, maintains the autocomplete list of rooms, changes three properties of a facility, and manages the services of
a room during the stay of a guest. This is the reference; the [guides](/docs/guides) have examples.

Every success is \`200\` with a JSON body, also for \`POST\` and \`DELETE\`. Every path works with and without a slash at
its end, and \`HEAD\` wherever \`GET\` does. Date-times are written in UTC with milliseconds: \`2026-11-15T08:30:00.000Z\`.

## Authentication

Every \`/v1\` route needs a partner token: \`Authorization: Bearer <token>\`. The operator of the installation creates
tokens, and can revoke them (at once) or rotate them (the old token stays valid for a grace period). A token consists of
\`atr_\`, a public id of 8 characters, \`_\`, 43 random characters and a checksum of 6, so that secret scanners recognize
it. It can have an expiry and a list of addresses from which it is accepted. Send it in the header only, never in a URL.
A token that begins with \`atr_test_\` is for a sandbox and has no access to real facilities.

Missing or unusable tokens are \`401\`, a token used from an address that is not on its list is \`403\`
\`address_not_allowed\`. **GET /v1/me** returns the permissions of a token.

## Grants

A partner sees the facilities that its grants name; several grants on one facility are combined. \`id\`, \`id_external\`, \`name\`
and \`status\` are always readable; other fields need \`read\`, changes need \`write\`, rooms need \`rooms\`. A field that is not
granted is left out of the response. Each operation names the grant that it needs.

A facility that is not granted is \`403\` \`facility_not_granted\`, whether it exists or not. Where the facility is visible
but the field or operation is not granted, the response is \`403\` \`not_granted\` and names the missing grant. An area that is
unknown, or in a facility that the partner cannot see, is \`404\` \`area_not_found\` in both cases.

## Identifiers

A facility's \`id_external\` has 1 to 64 of \`A-Z a-z 0-9 . _ -\` and is compared byte by byte. The full id of an area is the
facility's, a hyphen, and the area's short id (1 to 64 characters). Both halves may contain hyphens, so never split a full
id. Percent-encode ids in paths; they are decoded once.

## Order of checks

Route and method, token, rate limit, existence and visibility, grant, preconditions, query parameters, body. If one of
the earlier checks fails, the body is not read.

## Errors

Every refusal is a problem (RFC 9457, \`application/problem+json\`): \`type\`, \`title\`, \`status\`, \`detail\`, \`instance\`, plus
\`code\`, \`request_id\` and, for faults in the body, \`errors\` with a JSON Pointer and a sentence for each. Programs should
decide by \`code\`, which is stable. \`type\` is the path of a page that explains the problem; see [all of them](/problems).

Every response has \`X-Request-Id\`. If you send your own (1 to 128 of \`A-Z a-z 0-9 . _ -\`), it is used. Report it to the
operator when something goes wrong, to find the request in the log.

## Lists

Lists are complete by default. \`limit\` (1 to 1,000) asks for pages; the header \`Link: <…>; rel="next"\` has the next one,
and the last page has no such header. A cursor is opaque and stays valid while rows are added and removed. Facilities
are ordered by \`id\`, areas by the natural order of their short ids (2 before 10), the autocomplete list as it was sent.
\`status\` and \`q\` filter. An unknown parameter is \`400\`, so that a mistyped filter cannot look like a complete list.

## Caching and lost updates

Every response to a \`GET\` of \`/v1\` has a strong \`ETag\`, except those of events and of the sandbox, which are new each
time. Send it in \`If-None-Match\`: if the resource has not changed, the response is \`304\`, which does not count against the rate limit. Send it in \`If-Match\` with a change: the change is refused
with \`412\` if the resource has changed since. Use the ETag of the facility for its three properties, of the whole
autocomplete list for that list, and of the area for its room and services. Without \`If-Match\` the last write wins.

Bodies of 1 KiB and more are compressed with zstd, brotli or gzip when \`Accept-Encoding\` allows. The ETag of a compressed
response names its encoding; both headers accept it as it is.

## Repeating a POST

Send an \`Idempotency-Key\` (1 to 255 printable ASCII characters, such as a UUID), and you can repeat a \`POST\` safely: within
24 hours a request with the same key, path and body returns the first response again, with \`Idempotency-Replayed: true\`, and changes nothing.
The same key with another body is \`422\`; while the first request still runs, the response is \`409\`. Once the room has been
opened or closed, a key that was used before is \`409\` \`cycle_ended\`: a late retry never reaches the next guest.

The operations that take the header list it; it also works for the \`PUT\` of all services. Webhooks and sandboxes ignore
it: a repeated request is carried out again.

## Cycles

Opening a room starts a cycle, closing it ends the cycle, and both empty \`data_services\`. An area shows its
\`cycle\` and when it was opened; both are null while the room is closed. To be sure that a change applies to the
right guest, send the cycle in \`Atrium-Cycle\`: in any other cycle the response is \`412\` \`cycle_ended\`, and nothing is
changed.

## The legacy body

Writes take one JSON object with the key \`value\`; other keys are ignored. For the three properties \`value\` is a string,
for the autocomplete list an array of entries with short ids. For subscriptions it is a **string that holds a JSON array**:
serialize the array first, then the body. Bodies are \`application/json\` in UTF-8. U+0000, lone surrogates, the key
\`__proto__\` and a \`constructor\` with a \`prototype\` in it are refused anywhere in the body.

## Rate limit

Each token has a bucket of requests, by default \`${formatRateLimit(defaults.rateLimit)}\`. In responses to a valid token,
\`RateLimit\` has the remaining requests and \`RateLimit-Policy\` the limit. When the bucket is empty, the response is \`429\`
with \`Retry-After\` in seconds. Each node of an installation counts separately. The operator can change or disable the limit.

## Limits

${table(
  ['limit', 'default'],
  limitRows('subscription').map(([what, limit]) => [what, limit]),
)}

A body that is too large is refused with \`413\`, a path and headers that are too large with \`431\`, everything else beyond
a limit with \`400\`. The operator can change all of these limits. A request must arrive within 30 seconds, its headers within 15.

## Versions

The version is in the path. Within \`/v1\`, fields can be added to objects and codes to the list of problems, so ignore
fields that you do not know. Nothing is removed, and no type changes. A breaking change means \`/v2\`; \`/v1\` is then supported
for at least 12 more months. Responses of a deprecated route have the headers \`Deprecation\` (RFC 9745) and \`Sunset\`
(RFC 8594).

Web pages of other origins can call this API only where the operator has allowed their origin.
`.trim()
