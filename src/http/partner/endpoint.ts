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

/** The kind of resource whose ETag is compared with If-Match. */
export type Conditional = 'facility' | 'list' | 'area' | 'webhook'

/**
 * One route of `/v1`: its handler and all that the OpenAPI document says about it, so that both agree. These records
 * also are the source of the routing, the permission tests and the client.
 */
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
  /** Whether a repeated request with the same Idempotency-Key returns the first response again. */
  idempotent?: true
  /**
   * The request body: any JSON object if `plain` is set, otherwise the legacy form `{"value": …}`. `or` is a media type
   * that is accepted as well as `application/json`.
   */
  body?: { plain?: true; or?: typeof mergePatchType; schema: Schema; examples: Record<string, unknown> }
  response: { description: string; schema: Schema; example: unknown; etag: boolean }
  /** The kind of cached response that is served if the request has no query parameters. */
  cached?: CachedKind
  /**
   * Refusal codes (of error responses) that cannot be derived from the properties above. `refusalsOf` adds those that
   * can, such as `parameter_invalid` for a route with `query`.
   */
  refusals: RefusalCode[]
  handle(context: PartnerContext): Promise<EndpointResult>
  /**
   * The endless response to a request that accepts `text/event-stream`. An error in `open` still becomes an error
   * response.
   */
  stream?: { example: string; open(context: PartnerContext): Promise<AsyncIterable<string>> }
}

/**
 * What a handler needs of its request. `key`, `query` and `body` are functions, because they can throw and the order of
 * checks is part of the API: a handler calls them only after it has checked the caller's permission.
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
  /**
   * Returns the Idempotency-Key, and the operation with its path parameters as `path`. Other operations and paths may
   * use the same key again.
   */
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
  /** Notes which operations of a bulk call need a grant, so that a dry run of grants can decide the call again. */
  noteRoomsNeeded(operations: readonly RoomOperation[]): void
  /** Notes how many of the operations of a bulk call failed, and the first refusal, for the logs. */
  noteFailures(first: Refusal, failed: number, operations: number): void
  /** Counts a call with many operations as several requests against the rate limit. Throws if they exceed it. */
  charge(operations: number): void
  /** Returns a page of a list as the result, with a Link header if another page follows. */
  pageResult(list: CachedResponse | PageText): EndpointResult
}
