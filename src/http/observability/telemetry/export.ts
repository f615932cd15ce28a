import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Collector } from '../../../config/telemetry.ts'

const compress = promisify(gzip)

/** Statuses after which OTLP/HTTP allows a retry of the same export. */
const retryableStatuses = [429, 502, 503, 504]

export class ExportFailure extends Error {
  readonly code: string
  readonly isRetryable: boolean
  readonly retryAfterMs: number

  constructor(code: string, isRetryable: boolean, retryAfterMs = 0) {
    super('the collector did not take it')
    this.code = code
    this.isRetryable = isRetryable
    this.retryAfterMs = retryAfterMs
  }
}

interface Exporting {
  isCompressed: boolean
  signal: AbortSignal
}

/** Returns how many of the spans or data points were rejected. */
export async function exportTo(
  { url, headers }: Collector,
  body: object,
  { isCompressed, signal }: Exporting,
): Promise<number> {
  const json = JSON.stringify(body)
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...(isCompressed && { 'content-encoding': 'gzip' }) },
    body: isCompressed ? await compress(json) : json,
    redirect: 'error',
    signal,
  }).catch((error: Error & { cause?: { code?: string } }) => {
    throw new ExportFailure(error.cause?.code ?? error.name, true)
  })
  const text = await response.text().catch(() => '')
  if (response.ok) return rejectedCount(text)
  const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000 || 0
  throw new ExportFailure(`status ${response.status}`, retryableStatuses.includes(response.status), retryAfterMs)
}

function rejectedCount(text: string): number {
  try {
    const { rejectedSpans = 0, rejectedDataPoints = 0 } = JSON.parse(text).partialSuccess ?? {}
    return Number(rejectedSpans) + Number(rejectedDataPoints) || 0
  } catch {
    return 0
  }
}
