import type { Refusal } from '../../domain/refusal.ts'
import type { CompletedRequest, RequestLogBuffer } from '../../operations/background/request-log-buffer.ts'
import { readClock } from '../clock.ts'
import { publicCode } from '../pipeline/errors.ts'
import type { RequestEntry, RequestLog } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Tracer } from './telemetry/tracer.ts'

export type Observe = (entry: RequestEntry) => void

export function createObserver(
  { requests, requestSeconds }: Metrics,
  log: RequestLog,
  requestLogBuffer: Pick<RequestLogBuffer, 'note'>,
  tracer?: Tracer,
): Observe {
  return (entry) => {
    const labels = { method: entry.method, route: entry.route ?? 'none', status: entry.status }
    requests.inc(labels)
    requestSeconds.observe(labels, entry.durationMs / 1000)
    log(entry)
    if (entry.isPartners) requestLogBuffer.note(entry, readClock().wallMs)
    if (entry.trace !== undefined) tracer?.request(entry, entry.trace)
  }
}

/** Returns what to log about a refusal. Omits a detail about the body, from which it may quote values. */
export function reasonOf(refusal: Refusal | undefined): Pick<CompletedRequest, 'code' | 'detail'> {
  if (refusal === undefined) return {}
  const { code, message, facts } = refusal
  return { code: publicCode(code), detail: facts.errors === undefined ? message : undefined }
}

/** Returns the error to log. Omits that of an unavailable database, which is logged once, not per request. */
export function failureOf(refusal: Refusal | undefined): unknown {
  return refusal?.code === 'database_unavailable' ? undefined : refusal?.cause
}
