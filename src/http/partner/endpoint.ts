import type { CachedResponse } from '../../cache/response-cache.ts'
import type { Limits } from '../../config.ts'
import type { Need } from '../../domain/access/grant.ts'
import type { PartnerRight } from '../../domain/access/partner.ts'
import type { RateLimit } from '../../domain/access/rate-limit.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { RefusalCode } from '../../domain/refusal.ts'
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
import type { QueryName, QueryValues } from './query.ts'

export type PathParameter = 'facilityExternalId' | 'areaExternalId' | 'serviceId' | 'webhookId'

/** The resource whose ETag If-Match is compared with. */
export type Conditional = 'facility' | 'list' | 'area' | 'webhook'

/**
 * One route of `/v1`: its handler and everything that the OpenAPI document says about it, so that they cannot diverge.
 * Routing, the documents, the permission matrix of the tests and the client are made from these records.
 */
export interface Endpoint {
  method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  /** As in the specification, with `{parameters}`. A trailing slash makes no difference to routing. */
  path: string
  operationId: string
  tag: 'Facilities' | 'Areas' | 'Room services' | 'Events' | 'Webhooks' | 'Sandbox' | 'Token'
  summary: string
  description: string
  needs: Need
  /** A permission of the partner as a whole, which no grant on a facility includes. */
  right?: PartnerRight
  /** Requires a token of a sandbox. */
  sandbox?: true
  query: readonly QueryName[]
  /** Honors If-Match. */
  conditional?: Conditional
  /** Honors Atrium-Cycle. */
  cycle?: true
  /** Honors Idempotency-Key. */
  idempotent?: true
  /** A legacy body with a `value`, unless `plain`. `or` is a media type that is accepted beside `application/json`. */
  body?: { plain?: true; or?: typeof mergePatchType; schema: Schema; examples: Record<string, unknown> }
  response: { description: string; schema: Schema; example: unknown; etag: boolean }
  /** The kind of cached response that serves it when it has no query parameters. */
  cached?: CachedKind
  /** Codes that do not follow from the members above. */
  refusals: RefusalCode[]
  handle(context: PartnerContext): Promise<EndpointResult>
  /**
   * An endless response for callers that accept `text/event-stream`. `open` throws its refusals before the first byte.
   */
  stream?: { example: string; open(context: PartnerContext): Promise<AsyncIterable<string>> }
}

/**
 * The request context of a handler. Key, query and body are functions because the order of checks is part of the API: a
 * handler parses them once the caller's permission is established.
 */
export interface PartnerContext {
  db: Db
  limits: Limits
  /** How long before a subscription's end its event `ending` is due. */
  endingSeconds: number
  token: CachedToken
  partner: CachedPartner
  rateLimit: RateLimit | null
  /** The partner, or the operator, for whom operations write, for the audit log. */
  caller: Caller
  params: Record<PathParameter, string>
  precondition: Precondition
  /** Returns the Idempotency-Key with its scope: it is unique per operation and path parameters. */
  key(): { key: string; path: string } | undefined
  query(): QueryValues
  body(): Promise<Buffer>
  bodyParser: BodyParser
  /** Returns the token with its present permissions. Throws if it was revoked or has expired. */
  reauthenticate(): Promise<CachedToken>
  /** Returns a signal that is aborted when the response was sent, the caller disconnects or the node stops. */
  abortSignal(): AbortSignal
  followers: FollowerLimiter
  lastEventId: string | undefined
  /** Excludes the time of a long poll from the request's duration in log and metrics. */
  addWaitMs(ms: number): void
  send: SendWebhook
  /** Counts a call with many operations against the rate limit as that many requests. Throws if they are too many. */
  charge(operations: number): void
  /** Returns the list as a result, with a Link header to its next page. */
  pageResult(list: CachedResponse | PageText): EndpointResult
}
