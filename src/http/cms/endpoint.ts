import type { Config } from '../../config.ts'
import type { Operator, Role } from '../../domain/access/operator.ts'
import type { Actor } from '../../domain/audit/audit.ts'
import type { RefusalCode } from '../../domain/refusal.ts'
import type { SendWebhook } from '../../domain/webhook/webhook.ts'
import type { Check } from '../../estate/check.ts'
import type { Expect } from '../../operations/access/operator.ts'
import type { Visitor } from '../../operations/access/sign-in.ts'
import type { OperatorSession } from '../../storage/access/operator-session.ts'
import type { Db } from '../../storage/database.ts'
import type { Monitoring } from '../monitoring.ts'
import type { Schema } from '../schema.ts'
import type { OpenIdProvider } from './operators/openid-provider.ts'
import type { CmsParameter, CmsQuery } from './query.ts'

export type CmsTag = 'Sign-in' | 'Operators' | 'Facilities' | 'Areas' | 'Partners' | 'Logs' | 'Dashboard' | 'Settings'

/** One route of `/cms/v1`: what it does and all that its OpenAPI document says of it. */
interface CmsRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{parameters}`, each of them text. */
  path: string
  operationId: string
  tag: CmsTag
  summary: string
  description: string
  query?: readonly CmsParameter[]
  /** Honours If-Match with the ETag of this resource. */
  conditional?: true
  /** JSON, unless it says something else. */
  body?: { type?: string; schema: Schema; example: unknown }
  /** Too long to be counted: pages do not say how long the list is. */
  uncounted?: true
  /** JSON, unless it has another type. */
  response: { description: string; type?: string; schema: Schema; example: unknown }
  /** What it can refuse beside what follows from the members above. */
  refusals: RefusalCode[]
}

/** For everybody: only signing in is. */
export interface PublicEndpoint extends CmsRoute {
  role: 'anyone'
  handle(context: PublicContext): Promise<CmsResult>
}

export interface OperatorEndpoint extends CmsRoute {
  /** The least that an operator must be. */
  role: Role
  handle(context: CmsContext): Promise<CmsResult | CmsStream | CmsWork>
}

export type CmsEndpoint = PublicEndpoint | OperatorEndpoint

export interface CmsResult {
  /** Written as JSON. */
  body: unknown
  /** Where the next page of a list begins. */
  next?: string | undefined
  /** How long the list is as a whole. */
  total?: number
  headers?: Record<string, string>
}

/** Sent in parts, as they come. */
export interface CmsStream {
  type: string
  stream: AsyncIterable<string>
  headers?: Record<string, string>
}

/** Takes its time: who asks for `progress` is told how far it has come. */
export interface CmsWork {
  work(tell: (done: number) => void): Promise<CmsResult>
  /** When so many are done it is through. */
  of: number
}

export interface PublicContext {
  db: Db
  config: Config
  monitoring: Monitoring
  send: SendWebhook
  openIdProvider: OpenIdProvider | undefined
  /** What this browser was given when it was sent to the provider. */
  attemptCookie: string | undefined
  visitor: Visitor
  /** Whether the browser came by HTTPS. */
  isSecure: boolean
  params: Record<string, string>
  query(): CmsQuery
  /** The body, or a refusal with everything that is wrong with it. */
  read<T>(check: Check<T>): Promise<T>
  /** A body that is no JSON; as long as any body may be, unless it says otherwise. */
  text(type: string, bytesAtMost?: number): Promise<string>
}

export interface CmsContext extends PublicContext {
  operator: Operator
  /** The browser's session; none where a key was used. */
  session: OperatorSession | undefined
  /** Whoever changes something says on whose behalf. */
  actor: Actor
  /** Throws once they are not who they were, or may no longer do this. */
  stillAllowed(): Promise<void>
  /** Holds If-Match against the resource as this endpoint shows it. */
  expects<T>(view: (current: T) => unknown): Expect<T>
}
