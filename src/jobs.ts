import type { Certificate } from './http/adapters/certificate.ts'
import type { ServerDependencies } from './http/dependencies.ts'
import { type Log, warn } from './http/observability/log.ts'
import type { Telemetry } from './http/observability/telemetry/telemetry.ts'
import { pruneSessions } from './operations/access/operator-session.ts'
import { pruneSignInFailures } from './operations/access/sign-in-throttle.ts'
import { Erasure } from './operations/background/erase.ts'
import { indexAudit } from './operations/background/index-audit.ts'
import { pruneRequestLog } from './operations/background/prune-request-log.ts'
import type { RequestLogBuffer } from './operations/background/request-log-buffer.ts'
import { sealAudit } from './operations/background/seal-audit.ts'
import { emitServiceEvents } from './operations/background/service-events.ts'
import { pruneIdempotencyKeys } from './operations/idempotency.ts'
import { pruneDeliveries } from './operations/webhook/webhook-log.ts'

const tokenUseEveryMs = 5_000
const secondMs = 1000
const minuteMs = 60_000
const hourMs = 3_600_000
const sealEveryMs = 5_000
const renewEveryMs = 5_000

interface JobsOptions extends Pick<ServerDependencies, 'config' | 'db' | 'tokenUse' | 'certificate' | 'overload'> {
  log: Log
  requestLogBuffer: RequestLogBuffer
  telemetry: Telemetry | undefined
}

/** Starts what is done periodically for as long as the service runs. */
export function startJobs({
  config,
  db,
  log,
  tokenUse,
  requestLogBuffer,
  certificate,
  overload,
  telemetry,
}: JobsOptions): NodeJS.Timeout[] {
  const erasure = new Erasure(db)
  return [
    overload.start(),
    job(log, 'note the last use of tokens', tokenUseEveryMs, () => tokenUse.flush()),
    job(log, 'write the request log', secondMs, () => requestLogBuffer.flush()),
    job(log, 'forget old requests', minuteMs, () => pruneRequestLog(db)),
    job(log, 'tell what is due of services', secondMs, () => emitServiceEvents(db, config.eventEndingSeconds)),
    job(log, 'forget old idempotency keys', hourMs, () => pruneIdempotencyKeys(db)),
    job(log, 'forget old sessions', hourMs, () => pruneSessions(db)),
    job(log, 'forget old sign-ins', hourMs, () => pruneSignInFailures(db)),
    job(log, 'forget old deliveries', hourMs, () => pruneDeliveries(db)),
    job(log, 'seal the audit log', sealEveryMs, () => sealAudit(db)),
    job(log, 'place the audit log', secondMs, () => indexAudit(db)),
    job(log, 'erase what was deleted', config.eraseSeconds * 1000, () => erasure.run()),
    ...(telemetry ? telemetryJobs(telemetry, log) : []),
    ...(certificate ? [job(log, 'renew the certificate', renewEveryMs, () => renew(certificate, log))] : []),
  ]
}

function telemetryJobs(telemetry: Telemetry, log: Log): NodeJS.Timeout[] {
  const { tracesEveryMs, metricsEveryMs } = telemetry.config
  return [
    job(log, 'send traces', tracesEveryMs, () => telemetry.sendTraces()),
    job(log, 'send metrics', metricsEveryMs, () => telemetry.sendMetrics()),
  ]
}

/** Runs the work at once and then periodically, never twice at a time. A run that fails is logged; the next one tries again. */
function job(log: Log, name: string, everyMs: number, work: () => Promise<unknown>): NodeJS.Timeout {
  let isRunning = false
  const run = async () => {
    if (isRunning) return
    isRunning = true
    await work().catch((error) => warn(log, error, `could not ${name}`))
    isRunning = false
  }
  void run()
  return setInterval(run, everyMs)
}

async function renew(certificate: Certificate, log: Log): Promise<void> {
  if (certificate.reload()) log.info('another certificate is shown from now on')
}
