import type { CachedResponse } from '../../cache/response-cache.ts'
import type { Limits } from '../../config.ts'
import type { Need, RoomOperation } from '../../domain/access/grant.ts'
import type { PartnerRight } from '../../domain/access/partner.ts'
import type { RateLimit } from '../../domain/access/rate-limit.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { Refusal, RefusalCode } from '../../domain/refusal.ts'
import type { SendWebhook } from '../../domain/webhook/webhook.ts'
import type { Caller } from '../../operations/access/authenticate.ts'
import type { CachedKind } from '../../operations/access/cached-read.ts'
import type { FollowerLimiter } from '../../operations/events/follower-limiter.ts'
import type { PageText } from '../../operations/page.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Db } from '../../storage/database.ts'
import type { mergePatchType } from '../pipeline/body.ts'
import type { EndpointResult } from '../pipeline/render.ts'
import type { Schema } from '../schema.ts'
import type { BodyParser } from '../threads/body-parser.ts'
import type { QueryName, QueryValues } from './parameters.ts'

export type PathParameter = 'facilityExternalId' | 'areaExternalId' | 'serviceId' | 'webhookId'

type Conditional = 'facility' | 'list' | 'area' | 'webhook'

/** One route: handler and OpenAPI description. Routing, permission tests and the client are derived from it. */
export interface Endpoint {
  method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  /** The path as the specification spells it, with `{parameters}`. Requests may add or omit a trailing slash. */
  path: string
  operationId: string
  tag: 'Facilities' | 'Areas' | 'Room services' | 'Events' | 'Webhooks' | 'Sandbox' | 'Token'
  summary: string
  description: string
  needs: Need
  /** A right that the partner itself must have; grants on facilities do not include it. */
  right?: PartnerRight
  /** Whether the route requires the token of a sandbox. */
  sandbox?: true
  query: readonly QueryName[]
  /** The resource whose ETag the header If-Match is compared with; omitted if the route ignores the header. */
  conditional?: Conditional
  /** Whether the header Atrium-Cycle is compared with the room's cycle (the stay of its guest). */
  cycle?: true
  idempotent?: true
  /**
   * With `plain`, the body is any JSON object, otherwise the legacy body `{"value": "<JSON in a string>"}`. `or` is a
   * media type that is accepted in addition to JSON.
   */
  body?: { plain?: true; or?: typeof mergePatchType; schema: Schema; examples: Record<string, unknown> }
  response: { description: string; schema: Schema; example: unknown; etag: boolean }
  /** The kind of cached response that is served if the request has no query parameters. */
  cached?: CachedKind
  /** Codes that the properties above do not imply. `refusalsOf` adds the rest, such as `parameter_invalid`. */
  refusals: RefusalCode[]
  handle(context: PartnerContext): Promise<EndpointResult>
  /** The response to `Accept: text/event-stream`. If `open` throws, the caller still gets an error response. */
  stream?: { example: string; open(context: PartnerContext): Promise<AsyncIterable<string>> }
}

/**
 * What a handler gets. `key`, `query` and `body` throw if that part of the request is invalid. Handlers call them after
 * the permission check, because the order of errors is part of the API.
 */
export interface PartnerContext {
  db: Db
  limits: Limits
  /** How many seconds before the end of a subscription (a service of a room) its event `ending` is sent. */
  endingSeconds: number
  token: CachedToken
  partner: CachedPartner
  rateLimit: RateLimit | null
  /** Who acts, the partner or an operator: recorded in the audit log. */
  caller: Caller
  params: Record<PathParameter, string>
  precondition: Precondition
  /** Returns the Idempotency-Key and, as `path`, its scope: the operation with its path parameters. */
  key(): { key: string; path: string } | undefined
  query(): QueryValues
  body(): Promise<Buffer>
  bodyParser: BodyParser
  /** Authenticates again and returns the token with its current rights. Throws if it was revoked or has expired. */
  reauthenticate(): Promise<CachedToken>
  /** Returns a signal that is aborted when the response is complete, the caller disconnects or the node stops. */
  abortSignal(): AbortSignal
  followers: FollowerLimiter
  lastEventId: string | undefined
  /** Subtracts the waiting time of a long poll from the duration of the request in log and metrics. */
  addWaitMs(ms: number): void
  send: SendWebhook
  /** Notes which operations of a bulk call need a grant: a dry run of new grants decides past calls again. */
  noteRoomsNeeded(operations: readonly RoomOperation[]): void
  /** Notes how many of the operations of a bulk call failed, and the first refusal, for the logs. */
  noteFailures(first: Refusal, failed: number, operations: number): void
  /** Counts a call with many operations as several requests against the rate limit. Throws if they exceed it. */
  charge(operations: number): void
  pageResult(list: CachedResponse | PageText): EndpointResult
}
