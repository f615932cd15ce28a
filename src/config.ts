import { type ProxyConfig, readProxy } from './config/proxy.ts'
import { ConfigError, type Env, readChoice, readInteger, readList, readValue } from './config/read.ts'
import { type RemoteConfig, readRemote } from './config/remote.ts'
import { withSecretFiles } from './config/secret-files.ts'
import { getSetting } from './config/settings.ts'
import { readTelemetry, type TelemetryConfig } from './config/telemetry.ts'
import { parseAddressRange } from './domain/access/address-range.ts'
import { parseRateLimit, type RateLimit } from './domain/access/rate-limit.ts'
import type { SubscriptionLimits } from './domain/room/subscription.ts'

export { ConfigError, type Env, type RemoteConfig }

export interface Limits extends SubscriptionLimits {
  bodyBytes: number
  listEntries: number
  bulkBytes: number
  headerBytes: number
  importBytes: number
}

export interface CertificateFiles {
  certificate: string
  key: string
}

/** A deprecated route, in the form `GET /v1/path` with parameters as in the OpenAPI document, and its dates. */
export interface Deprecation {
  route: string
  deprecation: Date
  sunset: Date | null
}

export interface OpenIdConfig {
  issuer: string
  clientId: string
  clientSecret: string
  name: string
  /** Whether an e-mail address without the claim `email_verified` is refused (`required`) or accepted (`assumed`). */
  emailVerified: 'required' | 'assumed'
  /** The redirect URI of the sign-in. Derived from settings, never from the headers of a request. */
  redirectUri: string
}

/** The values of the settings, whose meanings stand in `config/settings.ts`. Null means that a setting is off. */
export interface Config {
  database: string
  databaseReplica: string | null
  databaseWaitSeconds: number
  databaseConnections: number
  remote: RemoteConfig | null
  host: string
  port: number
  /** An origin: scheme, host and port. */
  publicUrl: string | null
  workers: number
  rateLimit: RateLimit | null
  wrongTokenLimit: RateLimit | null
  log: string
  hasNotifySocket: boolean
  fastHttp: boolean
  corsOrigins: string[]
  drainSeconds: number
  tls: CertificateFiles | null
  trustedProxies: string[]
  openId: OpenIdConfig | null
  telemetry: TelemetryConfig | null
  deprecations: Deprecation[]
  memoryBytes: number
  eraseSeconds: number
  auditMonths: number | null
  auditExportFolder: string | null
  eventEndingSeconds: number
  webhookRanges: string[]
  proxy: ProxyConfig | null
  limits: Limits
  overload: { lagMs: number; queue: number }
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const rangeForm = 'address ranges such as 10.0.0.0/8'

export function readConfig(given: Env): Config {
  const env = withSecretFiles(given)
  return {
    database: readValue(env, 'ATRIUM_DATABASE'),
    databaseReplica: env.ATRIUM_DATABASE_REPLICA || null,
    databaseWaitSeconds: readInteger(env, 'ATRIUM_DATABASE_WAIT_SECONDS'),
    databaseConnections: readInteger(env, 'ATRIUM_DATABASE_CONNECTIONS'),
    remote: readRemote(env),
    host: readValue(env, 'ATRIUM_HOST'),
    port: readInteger(env, 'ATRIUM_PORT'),
    publicUrl: readPublicUrl(env),
    workers: readInteger(env, 'ATRIUM_WORKERS'),
    rateLimit: readRateLimit(env, 'ATRIUM_RATE_LIMIT'),
    wrongTokenLimit: readRateLimit(env, 'ATRIUM_WRONG_TOKEN_LIMIT'),
    log: readChoice(env, 'ATRIUM_LOG', logLevels),
    hasNotifySocket: Boolean(env.NOTIFY_SOCKET),
    fastHttp: readChoice(env, 'ATRIUM_FAST_HTTP', ['on', 'off']) === 'on',
    corsOrigins: readList(env, 'ATRIUM_CORS_ORIGINS', isOrigin, 'origins such as https://portal.example'),
    drainSeconds: readInteger(env, 'ATRIUM_DRAIN_SECONDS'),
    tls: readTls(env),
    trustedProxies: readList(env, 'ATRIUM_TRUSTED_PROXIES', isRange, rangeForm).map(normalizeRange),
    openId: readOpenId(env),
    telemetry: readTelemetry(env),
    deprecations: readDeprecations(env),
    memoryBytes: readInteger(env, 'ATRIUM_MEMORY_BYTES'),
    webhookRanges: readList(env, 'ATRIUM_WEBHOOK_ALLOWED_RANGES', isRange, rangeForm).map(normalizeRange),
    proxy: readProxy(env),
    eraseSeconds: readInteger(env, 'ATRIUM_ERASE_SECONDS'),
    ...readAuditRetention(env),
    eventEndingSeconds: readInteger(env, 'ATRIUM_EVENT_ENDING_SECONDS'),
    overload: readOverload(env),
    limits: readLimits(env),
  }
}

function readLimits(env: Env): Limits {
  return {
    bodyBytes: readInteger(env, 'ATRIUM_LIMIT_BODY_BYTES'),
    jsonDepth: readInteger(env, 'ATRIUM_LIMIT_JSON_DEPTH'),
    listEntries: readInteger(env, 'ATRIUM_LIMIT_LIST_ENTRIES'),
    postSubscriptions: readInteger(env, 'ATRIUM_LIMIT_POST_SUBSCRIPTIONS'),
    roomSubscriptions: readInteger(env, 'ATRIUM_LIMIT_ROOM_SUBSCRIPTIONS'),
    roomBytes: readInteger(env, 'ATRIUM_LIMIT_ROOM_BYTES'),
    bulkBytes: readInteger(env, 'ATRIUM_LIMIT_BULK_BYTES'),
    subscriptionBytes: readInteger(env, 'ATRIUM_LIMIT_SUBSCRIPTION_BYTES'),
    importBytes: readInteger(env, 'ATRIUM_LIMIT_IMPORT_BYTES'),
    headerBytes: readInteger(env, 'ATRIUM_LIMIT_HEADER_BYTES'),
  }
}

function readOverload(env: Env): Config['overload'] {
  return {
    lagMs: readInteger(env, 'ATRIUM_OVERLOAD_LAG_MS'),
    queue: readInteger(env, 'ATRIUM_OVERLOAD_QUEUE'),
  }
}

function readAuditRetention(env: Env): Pick<Config, 'auditMonths' | 'auditExportFolder'> {
  const isLimited = readValue(env, 'ATRIUM_AUDIT_MONTHS') !== 'all'
  const auditMonths = isLimited ? readInteger(env, 'ATRIUM_AUDIT_MONTHS') : null
  const auditExportFolder = env.ATRIUM_AUDIT_EXPORT_FOLDER || null
  if (auditMonths === null && auditExportFolder !== null)
    throw new ConfigError('ATRIUM_AUDIT_EXPORT_FOLDER is of no use without ATRIUM_AUDIT_MONTHS')
  return { auditMonths, auditExportFolder }
}

function readRateLimit(env: Env, name: string): RateLimit | null {
  const text = readValue(env, name)
  const limit = parseRateLimit(text)
  if (limit !== undefined) return limit
  throw new ConfigError(`${name} must be like "${getSetting(name).default}" or "off", not "${text}"`)
}

function readTls({ ATRIUM_TLS_CERT: certificate, ATRIUM_TLS_KEY: key }: Env): CertificateFiles | null {
  if (certificate && key) return { certificate, key }
  if (!certificate && !key) return null
  throw new ConfigError('ATRIUM_TLS_CERT and ATRIUM_TLS_KEY go together: set both, or neither')
}

function readPublicUrl({ ATRIUM_PUBLIC_URL: url }: Env): string | null {
  if (!url) return null
  if (isOrigin(url)) return url
  throw new ConfigError(`ATRIUM_PUBLIC_URL must be like https://atrium.example, not "${url}"`)
}

function readOpenId(env: Env): OpenIdConfig | null {
  const names = ['ATRIUM_OIDC_ISSUER', 'ATRIUM_OIDC_CLIENT_ID', 'ATRIUM_OIDC_CLIENT_SECRET']
  const first = names.find((name) => env[name])
  const [issuer = '', clientId = '', clientSecret = ''] = names.map((name) => env[name])
  const emailVerified = readChoice(env, 'ATRIUM_OIDC_EMAIL_VERIFIED', ['required', 'assumed'])
  if (first === undefined) return null
  const missing = [...names, 'ATRIUM_PUBLIC_URL'].filter((name) => !env[name])
  if (missing.length > 0) throw new ConfigError(`${first} is of no use without ${missing.join(', ')}`)
  if (!isIssuer(issuer)) {
    throw new ConfigError(`ATRIUM_OIDC_ISSUER must be an address such as https://login.example.com, not "${issuer}"`)
  }
  return {
    issuer,
    clientId,
    clientSecret,
    name: env.ATRIUM_OIDC_NAME || new URL(issuer).hostname,
    emailVerified: emailVerified as OpenIdConfig['emailVerified'],
    redirectUri: `${readPublicUrl(env)}/console/sign-in`,
  }
}

function isIssuer(text: string): boolean {
  const { protocol, hostname } = URL.parse(text) ?? {}
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname ?? ''))
}

function isRange(text: string): boolean {
  return parseAddressRange(text) !== undefined
}

function normalizeRange(range: string): string {
  return parseAddressRange(range) as string
}

function isOrigin(text: string): boolean {
  return URL.parse(text)?.origin === text
}

const deprecationForm =
  'a JSON array like [{"route": "GET /v1/facilities", "deprecation": "2027-01-01", "sunset": "2028-01-01"}]'

function readDeprecations(env: Env): Deprecation[] {
  const text = env.ATRIUM_DEPRECATIONS
  if (text === undefined || text === '') return []
  try {
    return (JSON.parse(text) as unknown[]).map(parseDeprecation)
  } catch {
    throw new ConfigError(`ATRIUM_DEPRECATIONS must be ${deprecationForm}`)
  }
}

function parseDeprecation(item: unknown): Deprecation {
  const { route, deprecation, sunset = null } = item as Record<string, unknown>
  const since = new Date(String(deprecation))
  const until = sunset === null ? null : new Date(String(sunset))
  const usable = typeof route === 'string' && /^[A-Z]+ \/\S+$/.test(route)
  if (!usable || Number.isNaN(since.getTime()) || Number.isNaN(until?.getTime() ?? 0)) throw new Error('not usable')
  return { route, deprecation: since, sunset: until }
}
