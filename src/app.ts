import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DestinationStream } from 'pino'
import { monthSaver } from './backup/audit-file.ts'
import type { Config } from './config.ts'
import type { SendWebhook } from './domain/webhook/webhook.ts'
import { Certificate } from './http/adapters/certificate.ts'
import { OpenIdProvider } from './http/cms/operators/openid-provider.ts'
import type { ServerDependencies } from './http/dependencies.ts'
import type { Draining } from './http/draining.ts'
import { createMonitoring } from './http/monitoring.ts'
import {
  batchingStream,
  createLog,
  errorMembers,
  type Log,
  readableStream,
  requestLog,
  warn,
} from './http/observability/log.ts'
import { createMetrics, type Metrics, registerCacheMetrics, registerLoadMetrics } from './http/observability/metrics.ts'
import { createObserver } from './http/observability/observe.ts'
import { observeReplica } from './http/observability/replica.ts'
import { Telemetry } from './http/observability/telemetry/telemetry.ts'
import { registerWebhookMetrics } from './http/observability/webhook-metrics.ts'
import { Overload } from './http/pipeline/overload.ts'
import { Proxies } from './http/pipeline/proxies.ts'
import { createServer, type HttpServer } from './http/server.ts'
import { Startup } from './http/startup.ts'
import { startJobs } from './jobs.ts'
import { RequestLogBuffer } from './operations/background/request-log-buffer.ts'
import { TokenUse } from './operations/background/token-use.ts'
import { type MigrationReport, migrateWhenReachable, reportPending } from './operations/migrate.ts'
import { WebhookDispatcher } from './operations/webhook/dispatcher.ts'
import { type Db, openDatabase } from './storage/database.ts'
import type { OutageReport } from './storage/outage.ts'
import { atriumVersion } from './version.ts'
import { systemResolve } from './webhooks/address.ts'
import { sender } from './webhooks/send.ts'

export interface Service {
  url: string
  server: Server
  draining: Draining
  db: Db
  send: SendWebhook
  log(members: object, message: string): void
  /** Stops the service. `hasReadinessProbe`: whether a load balancer polls `/readyz` of any worker of this node. */
  close(options?: { hasReadinessProbe: boolean }): Promise<void>
}

export interface ServiceOptions {
  logStream?: DestinationStream
  metrics?: Metrics
  /** Aborted when the service should stop before it has started: a migration is rolled back, and `startService` throws. */
  signal?: AbortSignal
}

/** How long a request waits for the database; after that it is refused with 503. */
const responseTimeoutMs = 4_000

/** The composition root: wires all parts together and starts the server, webhook dispatcher and background jobs. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const metrics = options.metrics ?? createMetrics()
  const logStream =
    options.logStream ?? (process.stdout.isTTY ? readableStream(process.stdout) : batchingStream(process.stdout))
  const log = createLog(config.log, logStream)
  const overload = new Overload(config.overload)
  const telemetry = telemetryFor(config, metrics)
  const tracer = telemetry?.tracer
  let isReady = false
  let stopListening = async () => {}
  const db = databaseFor(config, { metrics, overload, tracer, log, isReady: () => isReady })
  if (tracer !== undefined) tracer.databaseSystem = db.systemName
  try {
    const requestLogBuffer = new RequestLogBuffer(db)
    const observe = createObserver(metrics, requestLog(log, logStream), requestLogBuffer, tracer)
    const dependencies = dependenciesOf(config, { db, metrics, observe, overload, tracer })
    const { tokenUse } = dependencies
    const { server, draining, listen } = createServer(dependencies)
    stopListening = () => draining.close()
    const url = await listenWhenMigrated(listen, dependencies, log, options.signal)
    isReady = true
    const dispatcher = dispatcherFor(dependencies, log)
    dispatcher.start()
    const jobs = startJobs({ ...dependencies, log, requestLogBuffer, telemetry, saveMonth: saverOf(config) })
    return {
      url,
      server,
      draining,
      db,
      send: dependencies.send,
      log: (members, message) => log.info(members, message),
      close: async ({ hasReadinessProbe } = { hasReadinessProbe: false }) => {
        if (hasReadinessProbe) draining.recordProbe()
        for (const timer of jobs) clearInterval(timer)
        await Promise.all([draining.close(), dispatcher.stop()])
        await Promise.allSettled([tokenUse.flushAll(), requestLogBuffer.flushAll(), telemetry?.sendLast()])
        await db.close()
      },
    }
  } catch (error) {
    await stopListening()
    await db.close()
    throw withAdvice(error, config)
  }
}

function saverOf({ auditExportFolder: folder }: Config): ReturnType<typeof monthSaver> | undefined {
  return folder === null ? undefined : monthSaver(folder)
}

/** How long a starting node waits for its database before it listens anyway, so that probes see the reason. */
const quietStartMs = 1000

/**
 * Listens once all migrations are applied, or after `quietStartMs`: then requests get 503 until they are. Returns the URL
 * when the node serves requests.
 */
async function listenWhenMigrated(
  listen: HttpServer['listen'],
  { config, db, startup }: ServerDependencies,
  log: Log,
  signal?: AbortSignal,
): Promise<string> {
  const report: MigrationReport = {
    waiting: (reason) => log.warn({ reason }, 'waiting for the database'),
    migrating: (pending) => startup.waitFor(`migrations of the database (${pending.join(', ')})`),
    progress: ({ name, rows }) => startup.waitFor(`a migration of the database (${name}, ${rows} rows done)`),
  }
  const migrated = migrateWhenReachable(db, config.databaseWaitSeconds, report, signal)
  migrated.catch(() => {})
  const isQuick = await Promise.race([migrated.then(() => true), sleep(quietStartMs, false, { ref: false })])
  let url: string | undefined
  if (!isQuick) {
    url = await listen()
    await reportPending(db, report)
    log.warn({ url, waits_for: startup.waitsFor }, 'not ready yet')
  }
  await migrated
  startup.end()
  return url ?? listen()
}

function telemetryFor({ telemetry, publicUrl, tls }: Config, metrics: Metrics): Telemetry | undefined {
  if (telemetry === null) return undefined
  const isEncrypted = publicUrl?.startsWith('https:') ?? tls !== null
  return new Telemetry(telemetry, metrics, {
    version: atriumVersion(),
    scheme: isEncrypted ? 'https' : 'http',
  })
}

function databaseFor(
  { database, databaseReplica: replica, databaseConnections, memoryBytes }: Config,
  {
    metrics,
    overload,
    tracer,
    log,
    isReady,
  }: Pick<ServerDependencies, 'metrics' | 'overload' | 'tracer'> & { log: Log; isReady: () => boolean },
): Db {
  const db = openDatabase(database, {
    admit: overload.admit,
    cacheBytes: memoryBytes,
    responseTimeoutMs,
    maxConnections: databaseConnections,
    onError: (what, error) => warn(log, error, `could not ${what}`),
    outage: outageLog(log, isReady),
    onServerChange: ({ from, to, reason }) =>
      log.warn({ from, to, reason: errorMembers(reason ?? {}) }, 'another database server is used from now on'),
    ...(replica !== null && { replica, ...observeReplica(metrics, log) }),
    onTransaction: (kind, seconds) => {
      metrics.databaseSeconds.observe({ kind }, seconds)
      tracer?.query(kind, seconds)
    },
    onQuery: tracer && ((seconds) => tracer.query('question', seconds)),
  })
  registerCacheMetrics(metrics, db.cache)
  registerLoadMetrics(metrics, db, overload)
  return db
}

/** Logs outages of the database once the node is ready. Before, `migrateWhenReachable` logs what it waits for. */
function outageLog(log: Log, isReady: () => boolean): OutageReport {
  return {
    onDown: (cause, forMs) => {
      if (isReady()) log.warn({ error: errorMembers(cause), away_ms: Math.round(forMs) }, 'the database cannot be used')
    },
    onUp: (afterMs) => {
      if (isReady()) log.info({ away_ms: Math.round(afterMs) }, 'the database can be used again')
    },
  }
}

function dependenciesOf(
  config: Config,
  made: Pick<ServerDependencies, 'db' | 'metrics' | 'observe' | 'overload' | 'tracer'>,
): ServerDependencies {
  return {
    ...made,
    config,
    startup: new Startup(),
    tokenUse: new TokenUse(made.db),
    proxies: new Proxies(config.trustedProxies),
    certificate: certificateFor(config),
    monitoring: createMonitoring(made.db),
    openIdProvider: config.openId === null ? undefined : new OpenIdProvider(config.openId),
    send: sender(config.webhookRanges, `Atrium-Webhooks/${atriumVersion()}`, systemResolve, config.proxy),
  }
}

function dispatcherFor({ db, send, metrics }: ServerDependencies, log: Log): WebhookDispatcher {
  return new WebhookDispatcher(db, send, registerWebhookMetrics(metrics), (error) =>
    warn(log, error, 'could not send to webhooks'),
  )
}

function certificateFor({ tls }: Config): Certificate | undefined {
  try {
    return tls === null ? undefined : new Certificate(tls)
  } catch (error) {
    throw new Error(`The certificate cannot be used (${codeOf(error)}): check ATRIUM_TLS_CERT and ATRIUM_TLS_KEY`)
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

function withAdvice(error: unknown, { host, port }: Config): unknown {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') return new Error(`Port ${port} on ${host} is in use: set ATRIUM_PORT to another one`)
  if (code === 'EACCES')
    return new Error(`Port ${port} on ${host} may not be used by this user: set ATRIUM_PORT to another one`)
  return error
}
