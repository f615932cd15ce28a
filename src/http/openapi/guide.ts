import { readConfig } from '../../config.ts'
import { formatRateLimit } from '../../domain/access/rate-limit.ts'

/** The default configuration, whose limits the document shows. */
const defaults = readConfig({})
export const defaultLimits = defaults.limits

const number = (value: number) => value.toLocaleString('en-US')

/** The introduction of the document: what holds for every route, in the order in which an integrator needs it. */
export const guide = `
Atrium keeps the facilities of an operator (hotels, hospitals, residences) and their rooms. A partner application reads
them here, keeps the provisioning list of rooms, changes three properties of a facility, and manages the services of a
room while a guest is there. The [guides](/docs/guides) show it by example; this is the reference.

Every success is \`200\` with a JSON body, also for \`POST\` and \`DELETE\`. Every path works with and without a slash at
its end, and \`HEAD\` wherever \`GET\` does. Date-times are written in UTC with milliseconds: \`2026-11-15T08:30:00.000Z\`.

## Authentication

Every \`/v1\` route needs a partner token: \`Authorization: Bearer <token>\`. The operator of the installation makes tokens,
and can revoke them (at once) or rotate them (the old one lives on for a grace time). A token reads \`atr_\`, 8 characters
that are its public id, \`_\`, 43 random characters and a checksum of 6, so that a secret scanner recognises it. It can
have an expiry and a list of addresses that may use it. It is read from the header only: never put it into a URL.
One that begins with \`atr_test_\` is for a sandbox and reaches nothing real.

Missing or unusable tokens are \`401\`, a token used from an address that is not on its list is \`403\`
\`address_not_allowed\`. **GET /v1/me** says what a token may do.

## Grants

A partner sees the facilities that its grants name; several grants on one facility add up. \`id\`, \`id_external\`, \`name\`
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

Route and method, token, rate limit, existence and visibility, grant, preconditions, query parameters, body. The body of
a caller who would be refused anyway is not read.

## Errors

Every refusal is a problem (RFC 9457, \`application/problem+json\`): \`type\`, \`title\`, \`status\`, \`detail\`, \`instance\`, plus
\`code\`, \`request_id\` and, where a body is at fault, \`errors\` with a JSON Pointer and a sentence for each fault. Decide on
\`code\`: it is stable. \`type\` is a path of this service with a page on the problem; [all of them](/problems).

Every response carries \`X-Request-Id\`; send your own (1 to 128 of \`A-Z a-z 0-9 . _ -\`) and it is kept. Give it to the
operator when something went wrong: the log has it.

## Lists

Lists are complete by default. \`limit\` (1 to 1,000) asks for pages; the next one is in the header
\`Link: <…>; rel="next"\`, and the last page has none. A cursor is opaque and stays right while rows come and go. Facilities
are ordered by \`id\`, areas by the natural order of their short ids (2 before 10), the autocomplete list as it was sent.
\`status\` and \`q\` filter. An unknown parameter is \`400\`, so that a mistyped filter cannot look like a complete list.

## Caching and lost updates

Every \`GET\` of \`/v1\` carries a strong \`ETag\`. Send it in \`If-None-Match\` and an unchanged resource is \`304\`, which does not
count against the rate limit. Send it in \`If-Match\` with a change, and the change is refused with \`412\` when the resource
has moved on: the ETag of the facility for its three properties, of the whole autocomplete list for that list, of the area
for its room and services. Without \`If-Match\` the last write wins.

Bodies of 1 KiB and more are compressed with zstd, brotli or gzip when \`Accept-Encoding\` allows. The ETag of a compressed
response names its encoding; both headers accept it as it is.

## Repeating a POST

Send an \`Idempotency-Key\` (1 to 255 printable ASCII characters, a UUID is a good one) and repeat a \`POST\` safely: within
24 hours the same key, path and body returns the first response again, with \`Idempotency-Replayed: true\`, and changes nothing.
The same key with another body is \`422\`; while the first request still runs, the response is \`409\`. Once the room has been
opened or closed, a key that was used before is \`409\` \`cycle_ended\`: a late retry never reaches the next guest.

## Cycles

Opening a room starts a cycle, closing it ends the cycle, and both empty \`data_services\`. An area shows its
\`cycle\` and when it was opened; both are null while the room is closed. To be sure that a change meets the guest you mean,
send the cycle in \`Atrium-Cycle\`: in any other cycle the response is \`412\` \`cycle_ended\` and nothing is changed.

## The legacy body

Writes take one JSON object with the key \`value\`; other keys are ignored. For the three properties \`value\` is a string,
for the autocomplete list an array of entries with short ids. For subscriptions it is a **string that holds a JSON array**:
serialise the array first, then the body. Bodies are \`application/json\` in UTF-8. U+0000, lone surrogates, the key
\`__proto__\` and a \`constructor\` with a \`prototype\` in it are refused wherever they stand.

## Rate limit

Each token has a bucket of requests, by default \`${formatRateLimit(defaults.rateLimit)}\`. Responses to a valid token say what is left in
\`RateLimit\` and what the limit is in \`RateLimit-Policy\`. An empty bucket is \`429\` with \`Retry-After\` in seconds. Each node
of an installation counts for itself. The operator can change the limit or switch it off.

## Limits

| what | by default |
|---|---|
| body | ${number(defaultLimits.bodyBytes)} bytes |
| nesting of JSON | ${defaultLimits.jsonDepth} levels |
| entries of an autocomplete list | ${number(defaultLimits.listEntries)} |
| subscriptions in one POST | ${number(defaultLimits.postSubscriptions)} |
| subscriptions in one room | ${number(defaultLimits.roomSubscriptions)} |
| all subscriptions of one room | ${number(defaultLimits.roomBytes)} bytes |
| one subscription | ${number(defaultLimits.subscriptionBytes)} bytes |
| path and headers | ${number(defaultLimits.headerBytes)} bytes |

A body that is too large is \`413\`, a path with headers that are too large \`431\`, all else beyond a limit \`400\`.
The operator can change all of them. A request must arrive within 30 seconds, its headers within 15.

## Versions

The version is in the path. Within \`/v1\` fields may be added to objects, and codes to the list of problems; nothing is
removed and no type changes, so ignore what you do not know. A breaking change means \`/v2\`, and \`/v1\` then lives for at
least 12 months. A route on its way out says so in \`Deprecation\` (RFC 9745) and \`Sunset\` (RFC 8594).

Web pages of other origins can call this API only where the operator has allowed their origin.
`.trim()
