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

export type CmsTag = 'Sign-in' | 'Operators' | 'Facilities' | 'Areas' | 'Partners' | 'Logs' | 'Dashboard' | 'Settings'

/** A route of `/cms/v1` with its handler and its part of the OpenAPI document. */
interface CmsRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, which may contain `{parameters}`, each of them a string. */
  path: string
  operationId: string
  tag: CmsTag
  summary: string
  description: string
  query?: readonly CmsParameter[]
  /** Honors If-Match with the ETag of this resource. */
  conditional?: true
  /** `type` is the media type; default: JSON. */
  body?: { type?: string; schema: Schema; example: unknown }
  /** The list is too long to count: no `X-Total-Count`. */
  uncounted?: true
  /** `type` is the media type; default: JSON. */
  response: { description: string; type?: string; schema: Schema; example: unknown }
  /** Refusals in addition to those that follow from the properties above. */
  refusals: RefusalCode[]
}

/** A route without authentication: only those of signing in. */
export interface PublicEndpoint extends CmsRoute {
  role: 'anyone'
  handle(context: PublicContext): Promise<CmsResult>
}

export interface OperatorEndpoint extends CmsRoute {
  /** The lowest role that may call it. */
  role: Role
  handle(context: CmsContext): Promise<CmsResult | CmsStream | CmsLongTask>
}

export type CmsEndpoint = PublicEndpoint | OperatorEndpoint

export interface CmsResult {
  /** The value that is serialized as JSON. */
  body: unknown
  /** Cursor of the next page of a list. */
  next?: string | undefined
  /** Length of the whole list, for `X-Total-Count`. */
  total?: number
  headers?: Record<string, string>
  /** Sent as lines before the result, if progress is reported. */
  details?: Iterable<object>
}

/** A response whose chunks are sent as they are produced. */
export interface CmsStream {
  type: string
  stream: AsyncIterable<string>
  headers?: Record<string, string>
}

/** A long task; with `?progress=true` the response reports how far it has come. */
export interface CmsLongTask {
  run(onProgress: (done: number) => void): Promise<CmsResult>
  /** Number of steps in all, of which `onProgress` reports those done. */
  total: number
}

export interface PublicContext {
  db: Db
  config: Config
  monitoring: Monitoring
  send: SendWebhook
  openIdProvider: OpenIdProvider | undefined
  /** Value of the cookie set when this browser was sent to the OpenID provider. */
  attemptCookie: string | undefined
  visitor: ClientInfo
  /** Whether the connection uses TLS. */
  isSecure: boolean
  params: Record<string, string>
  query(): CmsQuery
  /** Parses the JSON body; refuses it with all faults found. */
  read<T>(check: Check<T>): Promise<T>
  /** Receives a body into a temporary file, which the caller closes. It may be compressed with gzip. */
  receive(type: string, maxBytes: number): Promise<TemporaryFile>
  /** Reads a body that is not JSON. `maxBytes` defaults to the general limit of bodies. */
  text(type: string, maxBytes?: number): Promise<string>
}

export interface CmsContext extends PublicContext {
  operator: Operator
  /** The session of the browser; undefined for an operator key. */
  session: OperatorSession | undefined
  /** Recorded in the audit entry of every change. */
  actor: Actor
  /** Authenticates and authorizes again, for long responses; throws once the operator may no longer do this. */
  requireStillAllowed(): Promise<void>
  /** Compares `If-Match` with the ETag of the resource as this endpoint renders it. */
  expects<T>(view: (current: T) => unknown): Expect<T>
}
