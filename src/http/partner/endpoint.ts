import type { CachedResponse } from '../../cache/response-cache.ts'
import type { Limits } from '../../config.ts'
import type { Need } from '../../domain/access/grant.ts'
import type { PartnerRight } from '../../domain/access/partner.ts'
import type { RateLimit } from '../../domain/access/rate-limit.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { RefusalCode } from '../../domain/refusal.ts'
import type { SendWebhook } from '../../domain/webhook/webhook.ts'
import type { Caller } from '../../operations/access/authenticate.ts'
import type { CachedKind } from '../../operations/access/ready.ts'
import type { Followers } from '../../operations/events/followers.ts'
import type { PageText } from '../../operations/page.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Db } from '../../storage/database.ts'
import type { QueryName, QueryValues } from '../pipeline/query.ts'
import type { EndpointResult } from '../pipeline/render.ts'
import type { Schema } from '../schema.ts'
import type { BodyParser } from '../threads/body-parser.ts'

export type PathParameter = 'facilityExternalId' | 'areaExternalId' | 'serviceId' | 'webhookId'

/** What If-Match is compared with. */
export type Conditional = 'facility' | 'list' | 'area' | 'webhook'

/**
 * One route: what it does and all that the OpenAPI document says of it, so that neither can be without the other.
 */
export interface Endpoint {
  method: 'GET' | 'PATCH' | 'POST' | 'DELETE'
  /** As in the specification, with `{parameters}`; every route also answers with the other slash form. */
  path: string
  operationId: string
  tag: 'Facilities' | 'Areas' | 'Room services' | 'Events' | 'Webhooks' | 'Sandbox' | 'Token'
  summary: string
  description: string
  needs: Need
  /** What the partner as a whole must be allowed. */
  right?: PartnerRight
  /** Only for tokens of a sandbox. */
  sandbox?: true
  query: readonly QueryName[]
  /** The headers it honours beside those that all do. */
  conditional?: Conditional
  cycle?: true
  idempotent?: true
  /** An object with a `value`, or a plain one. */
  body?: { plain?: true; schema: Schema; examples: Record<string, unknown> }
  response: { description: string; schema: Schema; example: unknown; etag: boolean }
  /** Without query parameters it is answered from the cache when it is there. */
  cached?: CachedKind
  /** What it can refuse beside what follows from the members above. */
  refusals: RefusalCode[]
  handle(context: PartnerContext): Promise<EndpointResult>
  /** The same without an end, for callers that accept `text/event-stream`. What refuses it does so before it begins. */
  stream?: { example: string; open(context: PartnerContext): Promise<AsyncIterable<string>> }
}

/** One request, opened step by step: a handler asks for the key, the query and the body once the caller may go on. */
export interface PartnerContext {
  db: Db
  limits: Limits
  endingSeconds: number
  token: CachedToken
  partner: CachedPartner
  rateLimit: RateLimit | null
  /** Whoever changes something says on whose behalf. */
  caller: Caller
  params: Record<PathParameter, string>
  precondition: Precondition
  /** The Idempotency-Key with the route it was sent to. */
  key(): { key: string; path: string } | undefined
  query(): QueryValues
  body(): Promise<Buffer>
  bodyParser: BodyParser
  /** The token as it is by now; throws when it may no longer be used. */
  reauthenticate(): Promise<CachedToken>
  /** Aborted when the answer was taken, the caller has hung up or the node stops. */
  abortSignal(): AbortSignal
  followers: Followers
  lastEventId: string | undefined
  /** So much of the time it took was spent waiting for something to happen: it says nothing of how fast the node is. */
  addWaitMs(ms: number): void
  send: SendWebhook
  /** An answer with, in its Link header, the next page of this list. */
  pageResult(list: CachedResponse | PageText): EndpointResult
}
