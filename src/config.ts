import { readLimits } from './config/limits.ts'
import { type ProxyConfig, readProxy } from './config/proxy.ts'
import { ConfigError, type Env, readChoice, readInteger, readList } from './config/read.ts'
import { type RemoteConfig, readRemote } from './config/remote.ts'
import { withSecretFiles } from './config/secret-files.ts'
import { readTelemetry, type TelemetryConfig } from './config/telemetry.ts'
import { parseAddressRange } from './domain/access/address-range.ts'
import { parseRateLimit, type RateLimit } from './domain/access/rate-limit.ts'
import type { SubscriptionLimits } from './domain/room/subscription.ts'

export { ConfigError, type Env, type RemoteConfig }

export interface Limits extends SubscriptionLimits {
  bodyBytes: number
  listEntries: number
  /** The maximum number of bytes of rooms that the operations of a bulk call may work on, each on its whole room. */
  bulkBytes: number
  headerBytes: number
  /** The maximum size of an estate file that is uploaded through the CMS API. */
  importBytes: number
}

/** The paths of the TLS certificate and its key, in PEM format. */
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

/** The OpenID provider with which operators can sign in. */
export interface OpenIdConfig {
  issuer: string
  clientId: string
  clientSecret: string
  /** The name of the OpenID provider, as the sign-in page shows it. */
  name: string
  /** Whether an e-mail address without the claim `email_verified` is refused (`required`) or accepted (`assumed`). */
  emailVerified: 'required' | 'assumed'
  /** The redirect URI of the sign-in. Derived from settings, never from the headers of a request. */
  redirectUri: string
}

export interface Config {
  database: string
  /** The URL of standbys of the database server that long reads may use; null for none. */
  databaseReplica: string | null
  /** How many seconds a starting node waits for the database to become available. */
  databaseWaitSeconds: number
  /** The maximum number of connections of each process to PostgreSQL. */
  databaseConnections: number
  /** The running installation that commands reach through its CMS API; null if they use the database directly. */
  remote: RemoteConfig | null
  host: string
  port: number
  /** The origin (scheme, host and port) of this installation as browsers see it. */
  publicUrl: string | null
  workers: number
  rateLimit: RateLimit | null
  /** Limits requests with invalid tokens, for each client address. */
  wrongTokenLimit: RateLimit | null
  log: string
  /** Whether systemd waits to be notified that the service is ready (NOTIFY_SOCKET). */
  hasNotifySocket: boolean
  /** Whether the fast path, without Node's HTTP parser, reads the usual requests to `/v1`. Node reads all others. */
  fastHttp: boolean
  corsOrigins: string[]
  /** How many seconds a node still accepts requests after a signal to stop, if a load balancer polls `/readyz`. */
  drainSeconds: number
  /** The certificate for HTTPS; null for plain HTTP. */
  tls: CertificateFiles | null
  /** The address ranges of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: string[]
  openId: OpenIdConfig | null
  telemetry: TelemetryConfig | null
  deprecations: Deprecation[]
  /** The maximum size of all caches of a process together, in bytes. */
  memoryBytes: number
  /** How many seconds purged data of guests can stay in the files of the database. */
  eraseSeconds: number
  /** How many months of the audit log are kept besides the current one; null keeps all months. */
  auditMonths: number | null
  /** The folder to which each month of the audit log is exported before it is removed; null for no export. */
  auditExportFolder: string | null
  /** How many seconds before the end of a service its event `service.ending` is sent. */
  eventEndingSeconds: number
  /** Address ranges, even private ones, that webhooks may be sent to, besides public addresses. */
  webhookRanges: string[]
  proxy: ProxyConfig | null
  limits: Limits
  /**
   * The limits above which new requests are refused: the lag of the event loop in ms, and the number of requests that
   * wait for the database.
   */
  overload: { lagMs: number; queue: number }
}

/** The maximum of ATRIUM_WORKERS, more than any machine has cores. */
export const maxWorkers = 256

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const rangeForm = 'address ranges such as 10.0.0.0/8'

export function readConfig(given: Env): Config {
  const env = withSecretFiles(given)
  return {
    database: env.ATRIUM_DATABASE || 'sqlite:./data/atrium.db',
    databaseReplica: env.ATRIUM_DATABASE_REPLICA || null,
    databaseWaitSeconds: readInteger(env, 'ATRIUM_DATABASE_WAIT_SECONDS', 30, 0, 3600),
    databaseConnections: readInteger(env, 'ATRIUM_DATABASE_CONNECTIONS', 22, 4, 1000),
    remote: readRemote(env),
    host: env.ATRIUM_HOST || '127.0.0.1',
    port: readInteger(env, 'ATRIUM_PORT', 8080, 0, 65_535),
    publicUrl: readPublicUrl(env),
    workers: readInteger(env, 'ATRIUM_WORKERS', 1, 1, maxWorkers),
    rateLimit: readRateLimit(env, 'ATRIUM_RATE_LIMIT', '100/s burst 1000'),
    wrongTokenLimit: readRateLimit(env, 'ATRIUM_WRONG_TOKEN_LIMIT', '1/s burst 100'),
    log: readChoice(env, 'ATRIUM_LOG', 'info', logLevels),
    hasNotifySocket: Boolean(env.NOTIFY_SOCKET),
    fastHttp: readChoice(env, 'ATRIUM_FAST_HTTP', 'on', ['on', 'off']) === 'on',
    corsOrigins: readList(env, 'ATRIUM_CORS_ORIGINS', isOrigin, 'origins such as https://portal.example'),
    drainSeconds: readInteger(env, 'ATRIUM_DRAIN_SECONDS', 3, 0, 3600),
    tls: readTls(env),
    trustedProxies: readList(env, 'ATRIUM_TRUSTED_PROXIES', isRange, rangeForm).map(normalizeRange),
    openId: readOpenId(env),
    telemetry: readTelemetry(env),
    deprecations: readDeprecations(env),
    memoryBytes: readInteger(env, 'ATRIUM_MEMORY_BYTES', 125_829_120, 0, 2 ** 40),
    webhookRanges: readList(env, 'ATRIUM_WEBHOOK_ALLOWED_RANGES', isRange, rangeForm).map(normalizeRange),
    proxy: readProxy(env),
    eraseSeconds: readInteger(env, 'ATRIUM_ERASE_SECONDS', 60, 1, 86_400),
    ...readAuditRetention(env),
    eventEndingSeconds: readInteger(env, 'ATRIUM_EVENT_ENDING_SECONDS', 3600, 0, 2_592_000),
    overload: readOverload(env),
    limits: readLimits(env),
  }
}

function readOverload(env: Env): Config['overload'] {
  return {
    lagMs: readInteger(env, 'ATRIUM_OVERLOAD_LAG_MS', 500, 10, 60_000),
    queue: readInteger(env, 'ATRIUM_OVERLOAD_QUEUE', 1000, 1, 1_000_000),
  }
}

function readAuditRetention(env: Env): Pick<Config, 'auditMonths' | 'auditExportFolder'> {
  const isLimited = (env.ATRIUM_AUDIT_MONTHS || 'all') !== 'all'
  const auditMonths = isLimited ? readInteger(env, 'ATRIUM_AUDIT_MONTHS', 12, 1, 1200) : null
  const auditExportFolder = env.ATRIUM_AUDIT_EXPORT_FOLDER || null
  if (auditMonths === null && auditExportFolder !== null)
    throw new ConfigError('ATRIUM_AUDIT_EXPORT_FOLDER is of no use without ATRIUM_AUDIT_MONTHS')
  return { auditMonths, auditExportFolder }
}

function readRateLimit(env: Env, name: string, standard: string): RateLimit | null {
  const text = env[name] || standard
  const limit = parseRateLimit(text)
  if (limit !== undefined) return limit
  throw new ConfigError(`${name} must be like "${standard}" or "off", not "${text}"`)
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
  const emailVerified = readChoice(env, 'ATRIUM_OIDC_EMAIL_VERIFIED', 'required', ['required', 'assumed'])
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

/** Returns whether an issuer is valid. Plain HTTP is allowed only on the same machine. */
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
