import type { Config } from '../../config.ts'
import type { Operator, Role } from '../../domain/access/operator.ts'
import type { Actor } from '../../domain/audit/audit.ts'
import type { RefusalCode } from '../../domain/refusal.ts'
import type { SendWebhook } from '../../domain/webhook/webhook.ts'
import type { Check } from '../../estate/check.ts'
import type { TemporaryFile } from '../../estate/temporary.ts'
import type { Expect } from '../../operations/access/operator.ts'
import type { ClientInfo } from '../../operations/access/sign-in.ts'
import type { OperatorSession } from '../../storage/access/operator-session.ts'
import type { Db } from '../../storage/database.ts'
import type { Monitoring } from '../monitoring.ts'
import type { Schema } from '../schema.ts'
import type { OpenIdProvider } from './operators/openid-provider.ts'
import type { CmsParameter, CmsQuery } from './query.ts'

/** The names of the path parameters. A handler reads only those in the path of its route. */
export type CmsPathParameter =
  | 'areaId'
  | 'deviceId'
  | 'facilityId'
  | 'keyId'
  | 'operatorId'
  | 'partnerId'
  | 'seq'
  | 'serviceId'
  | 'sessionId'
  | 'tokenId'
  | 'webhookId'

type CmsTag = 'Sign-in' | 'Operators' | 'Facilities' | 'Areas' | 'Partners' | 'Logs' | 'Dashboard' | 'Settings'

/** A route of `/cms/v1`: its handler and what the OpenAPI document says about it. */
interface CmsRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  operationId: string
  tag: CmsTag
  summary: string
  description: string
  query?: readonly CmsParameter[]
  /** Whether the header If-Match is compared with the ETag of the resource that the route changes. */
  conditional?: true
  /** Whether the header Atrium-Cycle is compared with the state of the room that the route changes. */
  cycle?: true
  /** The body of the request; `type` is its media type, JSON if omitted. */
  body?: { type?: string; schema: Schema; example: unknown }
  /** Set for a list that is too long to be counted: its response has no `X-Total-Count`. */
  uncounted?: true
  response: { description: string; type?: string; schema: Schema; example: unknown }
  /** Codes that the other properties do not imply. `cmsRefusalsOf` adds the rest, such as `parameter_invalid`. */
  refusals: RefusalCode[]
}

/** A route that needs no authentication: only the routes for signing in are public. */
export interface PublicEndpoint extends CmsRoute {
  role: 'anyone'
  handle(context: PublicContext): Promise<CmsResult>
}

export interface OperatorEndpoint extends CmsRoute {
  /** The lowest role of an operator that may call the route. */
  role: Role
  handle(context: CmsContext): Promise<CmsResult | CmsStream | CmsLongTask>
}

export type CmsEndpoint = PublicEndpoint | OperatorEndpoint

export interface CmsResult {
  body: unknown
  /** The cursor of the next page of a list; undefined on the last page. */
  next?: string | undefined
  /** The length of the whole list, for the header `X-Total-Count`. */
  total?: number
  headers?: Record<string, string>
  /** With `?progress=true`: objects that are sent before the result, each as a line of JSON. */
  details?: Iterable<object>
}

export interface CmsStream {
  type: string
  stream: AsyncIterable<string | Uint8Array>
  headers?: Record<string, string>
}

/** A task that can take long. With `?progress=true`, the response reports its progress in lines of JSON. */
export interface CmsLongTask {
  run(onProgress: (done: number) => void): Promise<CmsResult>
  total: number
}

export interface PublicContext {
  db: Db
  config: Config
  monitoring: Monitoring
  send: SendWebhook
  openIdProvider: OpenIdProvider | undefined
  /** The value of the cookie that was set when this browser went to the OpenID provider. */
  attemptCookie: string | undefined
  visitor: ClientInfo
  /** Whether the caller's connection uses TLS, so that cookies can be `Secure`. */
  isSecure: boolean
  params: Record<CmsPathParameter, string>
  query(): CmsQuery
  /** Reads and validates the JSON body. Throws all faults that it finds, in one Refusal. */
  read<T>(check: Check<T>): Promise<T>
  /** Writes a body, which may be compressed with gzip, to a temporary file. The caller closes the file. */
  receive(type: string, maxBytes: number): Promise<TemporaryFile>
  /** Reads a body that is text and not JSON. `maxBytes` is the limit of JSON bodies if omitted. */
  text(type: string, maxBytes?: number): Promise<string>
}

export interface CmsContext extends PublicContext {
  operator: Operator
  /** The operator's session in a browser; undefined if the request has an operator key. */
  session: OperatorSession | undefined
  actor: Actor
  /** Returns a signal that is aborted when the connection closes, or when the response is complete. */
  signal(): AbortSignal
  /** Records a failure that occurs after the response began, for the log. */
  onFailure(error: unknown): void
  /** Authenticates again while a long response is sent. Throws if the operator may no longer call this route. */
  requireStillAllowed(): Promise<void>
  /** Returns a check that compares `If-Match` with the ETag of `view(current)`, as this route returns it. */
  expects<T>(view: (current: T) => unknown): Expect<T>
  /** Returns Atrium-Cycle: the id of a cycle (a guest's stay), null for a closed room, undefined if not sent. */
  cycle(): string | null | undefined
}
