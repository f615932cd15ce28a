import type { Refusal } from '../../domain/refusal.ts'
import type { CompletedRequest, RequestLogBuffer } from '../../operations/background/request-log-buffer.ts'
import { readClock } from '../clock.ts'
import { publicCode } from '../pipeline/errors.ts'
import type { RequestEntry, RequestLog } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Tracer } from './telemetry/tracer.ts'

export type Observe = (entry: RequestEntry) => void

/** Logs, counts and traces each request, whichever way it went. */
export function observer(
  { requests }: Metrics,
  log: RequestLog,
  requestLogBuffer: Pick<RequestLogBuffer, 'note'>,
  tracer?: Tracer,
): Observe {
  return (entry) => {
    const counted = requests.of(entry.method, entry.route, entry.status)
    counted.observe(entry.durationMs / 1000)
    log(entry, counted.text)
    if (entry.isPartners) requestLogBuffer.note(entry, readClock().wallMs)
    if (entry.trace !== undefined) tracer?.request(entry, entry.trace)
  }
}

/** What a refusal says about a body can hold what stood in it: of such only the code is told. */
export function reasonOf(refusal: Refusal | undefined): Pick<CompletedRequest, 'code' | 'detail'> {
  if (refusal === undefined) return {}
  const { code, message, facts } = refusal
  return { code: publicCode(code), detail: facts.errors === undefined ? message : undefined }
}

/** An outage of the database is logged as one, and not with each request that meets it. */
export function failureOf(refusal: Refusal | undefined): unknown {
  return refusal?.code === 'database_unavailable' ? undefined : refusal?.cause
}
