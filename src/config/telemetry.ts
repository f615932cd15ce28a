import { ConfigError, type Env, list, whole } from './read.ts'

/** A collector that takes traces and metrics by the OpenTelemetry protocol. */
export interface TelemetryConfig {
  endpoint: string
  headers: Record<string, string>
  serviceName: string
  /** The part of the traces that is kept. */
  ratio: number
  tracesEveryMs: number
  metricsEveryMs: number
}

/** By the names that all programs take which speak to such a collector. */
export function telemetry(env: Env): TelemetryConfig | null {
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG || 1)
  if (!(ratio >= 0 && ratio <= 1)) {
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be from 0 to 1, not "${env.OTEL_TRACES_SAMPLER_ARG}"`)
  }
  const pairs = list(env, 'OTEL_EXPORTER_OTLP_HEADERS', isHeader, 'headers such as api-key=secret')
  const headers = Object.fromEntries(pairs.map((pair) => [pair.split('=', 1)[0], pair.slice(pair.indexOf('=') + 1)]))
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT || ''
  if (endpoint === '') return null
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new ConfigError(`OTEL_EXPORTER_OTLP_ENDPOINT must be like http://collector:4318, not "${endpoint}"`)
  }
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    headers,
    serviceName: env.OTEL_SERVICE_NAME || 'atrium',
    ratio,
    tracesEveryMs: whole(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000, 10, 600_000),
    metricsEveryMs: whole(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000, 1000, 3_600_000),
  }
}

function isHeader(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+=[\x20-\x7e]*$/.test(text)
}
