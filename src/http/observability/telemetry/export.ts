import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Collector } from '../../../config/telemetry.ts'

const compress = promisify(gzip)

/** The statuses after which OTLP allows the same body to be sent again. */
const retryableStatuses = [429, 502, 503, 504]

export class ExportFailure extends Error {
  readonly code: string
  /** Whether the same body may be sent again. */
  readonly isRetryable: boolean
  readonly retryAfterMs: number

  constructor(code: string, isRetryable: boolean, retryAfterMs = 0) {
    super('the collector did not take it')
    this.code = code
    this.isRetryable = isRetryable
    this.retryAfterMs = retryAfterMs
  }
}

export interface Exporting {
  isCompressed: boolean
  signal: AbortSignal
}

/** Sends one body. Returns how many spans or points the collector did not take from it; throws an ExportFailure. */
export async function exportTo(
  { url, headers }: Collector,
  body: object,
  { isCompressed, signal }: Exporting,
): Promise<number> {
  const text = JSON.stringify(body)
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...(isCompressed && { 'content-encoding': 'gzip' }) },
    body: isCompressed ? await compress(text) : text,
    redirect: 'error',
    signal,
  }).catch((error: Error & { cause?: { code?: string } }) => {
    throw new ExportFailure(error.cause?.code ?? error.name, true)
  })
  const answer = await response.text().catch(() => '')
  if (response.ok) return notTaken(answer)
  const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000 || 0
  throw new ExportFailure(`status ${response.status}`, retryableStatuses.includes(response.status), retryAfterMs)
}

/** A collector that takes a part says how much it did not take (`partial_success`). */
function notTaken(answer: string): number {
  try {
    const { rejectedSpans = 0, rejectedDataPoints = 0 } = JSON.parse(answer).partialSuccess ?? {}
    return Number(rejectedSpans) + Number(rejectedDataPoints) || 0
  } catch {
    return 0
  }
}
