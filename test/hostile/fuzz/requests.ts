import fc from 'fast-check'
import { ownNames } from '../../torture/own-fields.ts'
import { type Operation, operations } from './document.ts'
import { areaIds, facilityIds } from './estate.ts'
import { oddJson, oddJsonText, oddNumber, oddText } from './values.ts'

export interface FuzzRequest {
  operation: Operation
  /** The method of the operation, or another. */
  method: string
  parameters: Record<string, string>
  /** Appended to the path verbatim. */
  tail: string
  query: [name: string, value: string][]
  headers: [name: string, value: string][]
  as: 'broad' | 'narrow' | 'root' | 'nobody' | 'guess'
  /** The JSON of the body, or other text in its place. */
  body: string | undefined
  contentType: string | undefined
  /** Sends the body as Latin-1 instead of UTF-8. */
  isLatin1: boolean
}

function mostly<T>(weight: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: usual, weight }, { arbitrary: other, weight: 1 })
}

const headerText = fc.oneof(
  fc.constantFrom(
    '*',
    '"x"',
    'W/"x"',
    '"x',
    ',',
    'gzip;q=0',
    'br, gzip',
    'zstd',
    '0'.repeat(300),
    'a b',
    'é',
    '\t',
    '-',
  ),
  fc.string({ maxLength: 40 }).map((text) => text.replace(/[^\x20-\x7e]/g, '')),
)

const strangeHeaders = fc.constantFrom<[string, string]>(
  ['Transfer-Encoding', 'gzip'],
  ['Expect', '100-continue'],
  ['Origin', 'https://evil.example'],
  ['X-Forwarded-For', '10.0.0.1'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Content-Encoding', 'gzip'],
  ['Range', 'bytes=0-1'],
  ['Cookie', 'a=b'],
  ['Upgrade', 'h2c'],
  ['Host', 'again'],
  ['Authorization', 'Bearer again'],
  ['X-Large', 'x'.repeat(70_000)],
)

const moment = fc.oneof(
  oddNumber,
  fc.constantFrom('9999-12-31', '0000-01-01', '2026-02-30', '2026-11-15T08:30'),
  oddJson,
)

const draft = fc
  .record(
    {
      code: fc.oneof(fc.constant('tv'), oddJson),
      label: oddJson,
      status: oddJson,
      start: moment,
      end: moment,
      id: oddJson,
      own: fc.tuple(fc.constantFrom('more', ...ownNames), oddJson),
    },
    { requiredKeys: [] },
  )
  .map(({ own: [name, value] = ['more', undefined], ...item }) => ({ ...item, code: item.code ?? 'tv', [name]: value }))

/** Two members that every server accepts: few others pass validation. */
const plainDraft = fc.record({ code: fc.constant('tv'), end: fc.constantFrom('2030-01-01', null) })
const ownDraft = fc
  .tuple(plainDraft, fc.constantFrom(...ownNames))
  .map(([item, name]) => ({ ...item, [name]: { [name]: name } }))

/** A placeholder for the id of a subscription in the room, if there is one. */
export const oneThatIsThere = 'one that is there'

/** A valid value for each route with a body, and almost valid ones. */
const values: Record<string, fc.Arbitrary<unknown>> = {
  areas_autocomplete_list: fc.array(
    fc.record({
      id_external: fc.oneof(fc.integer({ min: 1, max: 400 }).map(String), oddText),
      name: fc.oneof(fc.constant('Room'), oddText),
    }),
    { maxLength: 4 },
  ),
  name: fc.oneof(fc.constant('A name'), oddText),
  ssid_public: fc.oneof(fc.constant('Guest'), oddText),
  subscription_url: fc.oneof(fc.webUrl(), fc.constant('https://portal.example/'), oddText),
  data_services: fc.oneof(
    fc.array(draft, { maxLength: 3 }).map((items) => JSON.stringify(items)),
    fc.array(ownDraft, { maxLength: 2 }).map((items) => JSON.stringify(items)),
    oddJsonText.map((text) => `[{"code":"tv","extra":${text}}]`),
    oddJsonText,
  ),
}

const services = fc.array(fc.oneof(draft, plainDraft, ownDraft), { maxLength: 3 })
const areaId = fc.oneof({ arbitrary: fc.constantFrom(...areaIds), weight: 9 }, oddText)

/** An operation on one of many rooms, mostly of a right form. */
const roomOperation = fc.oneof(
  { arbitrary: fc.record({ op: fc.constantFrom('open', 'close'), area: areaId }), weight: 3 },
  {
    arbitrary: fc.record({ op: fc.constantFrom('add_services', 'replace_services'), area: areaId, services }),
    weight: 4,
  },
  { arbitrary: fc.record({ op: fc.constant('move'), area: areaId, to: areaId }), weight: 3 },
  { arbitrary: fc.record({ op: fc.constant('close'), area: areaId, cycle: fc.oneof(fc.uuid(), oddText) }), weight: 1 },
  fc.record({ op: oddText, area: oddJson, services: oddJson, to: oddJson }),
)

/** The same for routes whose body is not in a `value`. */
const plainBodies: Record<string, fc.Arbitrary<unknown>> = {
  'PUT data_services': services.map((items) => ({ data_services: items })),
  'PATCH {serviceId}': fc.oneof(
    draft.map(({ code: _code, id: _id, ...patch }) => patch),
    fc.record({ label: oddJson, more: oddJson }),
  ),
  'POST bulk': fc.record({
    mode: mostly<unknown>(12, fc.constantFrom('each', 'each', 'all'), oddJson),
    operations: mostly<unknown>(12, fc.array(roomOperation, { minLength: 1, maxLength: 5 }), oddJson),
  }),
  'POST move': fc.oneof(fc.constantFrom(...areaIds), oddText).map((to) => ({ to })),
}

function bodyFor({ method, path, takesBody }: Operation): fc.Arbitrary<string | undefined> {
  if (!takesBody) return mostly(9, fc.constant(undefined), oddJsonText)
  const last = path.split('/').at(-1) as string
  const whole = plainBodies[`${method} ${last}`] ?? (values[last] ?? oddJson).map((value) => ({ value }))
  const good = whole.map((body) => JSON.stringify(body))
  const extra = fc
    .tuple(good, oddJsonText)
    .map(([text, more]) => (text === '{}' ? text : `${text.slice(0, -1)},"more":${more}}`))
  const other = oddJsonText.map((text) => `{"value":${text}}`)
  return fc.oneof(
    { arbitrary: good, weight: 6 },
    { arbitrary: extra, weight: 2 },
    other,
    oddJsonText,
    fc.constant(undefined),
  )
}

const contentTypes = fc.constantFrom(
  ...[
    'text/plain',
    'application/json; charset=utf-8',
    'application/json;',
    'APPLICATION/JSON',
    'application/jsonp',
    '',
  ],
  ...['application/json, text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ' '],
)

function requestTo(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const query = fc.tuple(
    // A long poll that waits as requested is not a fault, but takes time.
    fc.constantFrom(...operation.query.filter((name) => name !== 'wait'), 'fields', '__proto__'),
    fc.oneof(fc.constantFrom('1', 'active', '2027-01-01T00:00:00Z'), oddText),
  )
  const header = fc.oneof(fc.tuple(fc.constantFrom(...operation.headers), headerText), {
    arbitrary: strangeHeaders,
    weight: 1,
  })
  return fc.record({
    operation: fc.constant(operation),
    method: mostly(
      30,
      fc.constant(operation.method),
      fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'TRACE', 'QUERY', 'DELETE'),
    ),
    parameters: fc.record({
      facilityExternalId: mostly(8, fc.constantFrom(...facilityIds), oddText),
      areaExternalId: mostly(8, fc.constantFrom(...areaIds), oddText),
      serviceId: fc.oneof(fc.uuid(), oddText, fc.constant(oneThatIsThere)),
      webhookId: fc.oneof(fc.uuid(), oddText),
      code: fc.oneof(fc.constant('not_granted'), oddText),
    }),
    tail: mostly(20, fc.constantFrom('', '', '/'), fc.constantFrom('//', '/..', '/x', '%2f', ';x', '%', '#x', '.json')),
    query: mostly(3, fc.constant([]), fc.array(query, { maxLength: 2 })),
    headers: mostly(1, fc.constant([]), fc.array(header, { maxLength: 2 })),
    as: mostly(5, fc.constant<FuzzRequest['as']>('broad'), fc.constantFrom('narrow', 'root', 'nobody', 'guess')),
    body: bodyFor(operation),
    contentType: mostly(
      12,
      fc.constant<string | undefined>('application/json'),
      fc.oneof(contentTypes, fc.constant(undefined)),
    ),
    isLatin1: fc.integer({ min: 0, max: 40 }).map((number) => number === 40),
  })
}

/** Weights: writes can do most harm; documentation pages get few requests. */
function weightOf({ path, takesBody }: Operation): number {
  if (takesBody) return 4
  return path.startsWith('/v1') ? 2 : path === '/metrics' || path.startsWith('/problems') ? 1 : 0
}

export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...operations
    .filter((operation) => weightOf(operation) > 0)
    .map((operation) => ({ arbitrary: requestTo(operation), weight: weightOf(operation) })),
)
