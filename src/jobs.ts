import type { Certificate } from './http/adapters/certificate.ts'
import type { ServerDependencies } from './http/dependencies.ts'
import { type Log, warn } from './http/observability/log.ts'
import type { Telemetry } from './http/observability/telemetry/telemetry.ts'
import { pruneSessions } from './operations/access/operator-session.ts'
import { pruneSignInFailures } from './operations/access/sign-in-throttle.ts'
import { emitServiceEvents, emitTokenEvents } from './operations/background/emit-events.ts'
import { Erasure } from './operations/background/erase.ts'
import { indexAudit } from './operations/background/index-audit.ts'
import { pruneRequestLog } from './operations/background/prune-request-log.ts'
import { type RemovedMonth, removeOldAudit, type SaveMonth } from './operations/background/remove-audit.ts'
import type { RequestLogBuffer } from './operations/background/request-log-buffer.ts'
import { sealAudit } from './operations/background/seal-audit.ts'
import { pruneIdempotencyKeys } from './operations/idempotency.ts'
import { pruneDeliveries } from './operations/webhook/webhook-log.ts'

const tokenUseIntervalMs = 5_000
const tokenEventsIntervalMs = 10_000
const secondMs = 1000
const minuteMs = 60_000
const hourMs = 3_600_000
const sealIntervalMs = 5_000
const certificateIntervalMs = 5_000

interface JobsOptions extends Pick<ServerDependencies, 'config' | 'db' | 'tokenUse' | 'certificate' | 'overload'> {
  log: Log
  requestLogBuffer: RequestLogBuffer
  telemetry: Telemetry | undefined
  /** Exports a month of the audit log before it is removed; undefined if months are removed without an export. */
  saveMonth: SaveMonth | undefined
}

export function startJobs(options: JobsOptions): NodeJS.Timeout[] {
  const { config, db, log, tokenUse, requestLogBuffer, certificate, overload, telemetry } = options
  const erasure = new Erasure(db)
  return [
    overload.start(),
    job(log, 'store the last use of tokens', tokenUseIntervalMs, () => tokenUse.flush()),
    job(log, 'write the request log', secondMs, () => requestLogBuffer.flush()),
    job(log, 'delete old requests', minuteMs, () => pruneRequestLog(db)),
    job(log, 'emit the events of services that start or end', secondMs, () =>
      emitServiceEvents(db, config.eventEndingSeconds),
    ),
    job(log, 'emit the events of tokens that end soon', tokenEventsIntervalMs, () => emitTokenEvents(db)),
    job(log, 'delete old idempotency keys', hourMs, () => pruneIdempotencyKeys(db)),
    job(log, 'delete old sessions', hourMs, () => pruneSessions(db)),
    job(log, 'delete old sign-in failures', hourMs, () => pruneSignInFailures(db)),
    job(log, 'delete old deliveries', hourMs, () => pruneDeliveries(db)),
    job(log, 'seal the audit log', sealIntervalMs, () => sealAudit(db)),
    job(log, 'index the audit log', secondMs, () => indexAudit(db)),
    ...(config.auditMonths === null ? [] : [auditRemoval(options, config.auditMonths)]),
    job(log, 'erase deleted data', config.eraseSeconds * 1000, () => erasure.run()),
    ...(telemetry ? telemetryJobs(telemetry, log) : []),
    ...(certificate ? [job(log, 'reload the certificate', certificateIntervalMs, () => reload(certificate, log))] : []),
  ]
}

function auditRemoval({ db, log, saveMonth: save }: JobsOptions, months: number): NodeJS.Timeout {
  const onRemoved = (removed: RemovedMonth) => log.info(removed, 'a month of the audit log was removed')
  return job(log, 'remove old audit entries', hourMs, () => removeOldAudit(db, { months, save, onRemoved }))
}

function telemetryJobs(telemetry: Telemetry, log: Log): NodeJS.Timeout[] {
  const { tracesEveryMs, metricsEveryMs } = telemetry.config
  return [
    job(log, 'send traces', tracesEveryMs, () => telemetry.sendTraces()),
    job(log, 'send metrics', metricsEveryMs, () => telemetry.sendMetrics()),
  ]
}

/** Runs a background job at once and at each interval, except while its last run is unfinished. Logs failures. */
function job(log: Log, name: string, intervalMs: number, work: () => Promise<unknown>): NodeJS.Timeout {
  let isRunning = false
  const run = async () => {
    if (isRunning) return
    isRunning = true
    await work().catch((error) => warn(log, error, `could not ${name}`))
    isRunning = false
  }
  void run()
  return setInterval(run, intervalMs)
}

async function reload(certificate: Certificate, log: Log): Promise<void> {
  if (certificate.reload()) log.info('a new certificate is used from now on')
}
