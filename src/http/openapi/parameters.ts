import { wordPattern } from '../../domain/facility.ts'
import { facilityIdPattern } from '../../domain/identifier.ts'
import type { Endpoint, PathParameter } from '../partner/endpoint.ts'
import * as examples from '../partner/examples.ts'
import type { QueryName } from '../pipeline/query.ts'
import { webhookExample } from '../webhook-view.ts'
import { type Json, ref } from './json-schema.ts'

interface Parameter {
  description: string
  schema: Json
  example: unknown
}

const inPath: Record<PathParameter, Parameter> = {
  facilityExternalId: {
    description: 'External id of a facility.',
    schema: { type: 'string', pattern: facilityIdPattern },
    example: examples.facility.id_external,
  },
  areaExternalId: {
    description: "Full id of an area: the facility's external id, a hyphen, the area's short id.",
    schema: { type: 'string', minLength: 3, maxLength: 129 },
    example: examples.area.id_external,
  },
  serviceId: {
    description: 'Id of a subscription, as the service made it.',
    schema: { type: 'string', format: 'uuid' },
    example: examples.subscription.id,
  },
  webhookId: {
    description: 'Id of a webhook, as the service made it.',
    schema: { type: 'string', format: 'uuid' },
    example: webhookExample.id,
  },
}

const inQuery: Record<QueryName, Parameter> = {
  limit: {
    description: 'The size of a page. Without it, the list is complete.',
    schema: { type: 'integer', minimum: 1, maximum: 1000 },
    example: 100,
  },
  cursor: {
    description: 'Where the page starts, from the `Link` header of the previous page.',
    schema: { type: 'string', pattern: '^[\\w-]{1,512}$' },
    example: 'WyJmIiwxXQ',
  },
  status: {
    description: 'Only facilities with this status.',
    schema: { type: 'string', pattern: wordPattern },
    example: 'active',
  },
  q: {
    description:
      'Only items with a name or short id in which a word begins like this, or with a full id that begins like this; case and accents are ignored.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'suite',
  },
  after: {
    description:
      'The `next` of the previous response, or the id of the last event received. Without it, only new events.',
    schema: { type: 'string', pattern: '^[\\w-]{1,512}$' },
    example: examples.eventPage.next,
  },
  wait: {
    description: 'Seconds to wait for an event when there is none yet.',
    schema: { type: 'integer', minimum: 0, maximum: 30 },
    example: 20,
  },
  active_at: {
    description:
      'Only subscriptions that are valid then: `now`, or a date-time in ISO 8601, without an offset in the time zone of the facility. Its ETag is not accepted in `If-Match`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'now',
  },
  dry_run: {
    description: '`true` changes nothing and returns what would be added, removed and renamed.',
    schema: { type: 'boolean' },
    example: true,
  },
  own: {
    description: '`false` leaves out changes that this partner made itself.',
    schema: { type: 'boolean' },
    example: false,
  },
}

const inHeader = {
  'X-Request-Id': {
    description: 'Your own id of the request; used when it has this form.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    example: 'pms-2026-11-15-000417',
  },
  'Accept-Encoding': {
    description: 'Accepted encodings; zstd, br and gzip are supported.',
    schema: { type: 'string' },
    example: 'br, gzip',
  },
  'If-None-Match': {
    description: 'ETags of earlier responses. If one still matches, the response is `304`.',
    schema: { type: 'string' },
    example: '"u2rM0mJq1xQZ7c9Yw4kT5hVbN8E"',
  },
  'Last-Event-ID': {
    description: 'With `Accept: text/event-stream`: the id of the last event received, in place of `after`.',
    schema: { type: 'string' },
    example: examples.event.id,
  },
  'If-Match': {
    description: 'The ETag of the resource as you read it; `*` for any.',
    schema: { type: 'string' },
    example: '"u2rM0mJq1xQZ7c9Yw4kT5hVbN8E"',
  },
  'Atrium-Cycle': {
    description: 'The id of the cycle that the request is for.',
    schema: { type: 'string', format: 'uuid' },
    example: examples.area.cycle,
  },
  'Idempotency-Key': {
    description: 'Makes it safe to repeat the request within 24 hours.',
    schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
    example: '5e0f5a3c-8f0e-4b59-9d25-2f0d3f7c1a66',
  },
} satisfies Record<string, Parameter>

export type RequestHeader = keyof typeof inHeader

export function parameterComponents(): Json {
  const all = (place: string, parameters: Record<string, Parameter>) =>
    Object.entries(parameters).map(([name, { description, schema, example }]) => {
      const required = place === 'path'
      return [name, { name, in: place, required, description, schema, example }]
    })
  return Object.fromEntries([...all('path', inPath), ...all('query', inQuery), ...all('header', inHeader)])
}

export function parametersOf(endpoint: Endpoint): Json[] {
  const { method, path, query } = endpoint
  const headers: RequestHeader[] = [
    ...(method === 'GET' && endpoint.response.etag ? (['If-None-Match'] as const) : []),
    ...(endpoint.stream ? (['Last-Event-ID'] as const) : []),
    ...(endpoint.conditional ? (['If-Match'] as const) : []),
    ...(endpoint.cycle ? (['Atrium-Cycle'] as const) : []),
    ...(endpoint.idempotent ? (['Idempotency-Key'] as const) : []),
    'Accept-Encoding',
    'X-Request-Id',
  ]
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameter)
  return [...names, ...query, ...headers].map((name) => ref('parameters', name))
}
