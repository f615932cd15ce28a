import { ConfigError, type Env, readChoice, readInteger, readValue } from './read.ts'
import { getSetting } from './settings.ts'

export interface Collector {
  url: string
  headers: Record<string, string>
}

export interface Sampler {
  ratio: number
  /** Whether the caller's decision to sample, in the header `traceparent` of a request, is used in place of `ratio`. */
  followsCaller: boolean
}

export interface TelemetryConfig {
  traces: Collector | null
  metrics: Collector | null
  resource: Record<string, string>
  sampler: Sampler
  isCompressed: boolean
  timeoutMs: number
  queueSize: number
  batchSize: number
  tracesEveryMs: number
  metricsEveryMs: number
}

/** Reads the standard environment variables of OpenTelemetry. Returns null when nothing is to be exported. */
export function readTelemetry(env: Env): TelemetryConfig | null {
  const traces = readCollector(env, 'TRACES', 'v1/traces')
  const metrics = readCollector(env, 'METRICS', 'v1/metrics')
  const config = {
    traces,
    metrics,
    resource: {
      'service.name': getSetting('OTEL_SERVICE_NAME').default,
      ...readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES', 'attributes such as deployment.environment.name=production'),
      ...(env.OTEL_SERVICE_NAME && { 'service.name': env.OTEL_SERVICE_NAME }),
    },
    sampler: readSampler(env),
    isCompressed: readChoice(env, 'OTEL_EXPORTER_OTLP_COMPRESSION', ['none', 'gzip']) === 'gzip',
    timeoutMs: readInteger(env, 'OTEL_EXPORTER_OTLP_TIMEOUT'),
    queueSize: readInteger(env, 'OTEL_BSP_MAX_QUEUE_SIZE'),
    batchSize: readInteger(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
    tracesEveryMs: readInteger(env, 'OTEL_BSP_SCHEDULE_DELAY'),
    metricsEveryMs: readInteger(env, 'OTEL_METRIC_EXPORT_INTERVAL'),
  }
  // Accepts `http/protobuf`, although Atrium sends OTLP/JSON: collectors take both at one URL, but not gRPC.
  readChoice(env, 'OTEL_EXPORTER_OTLP_PROTOCOL', ['http/json', 'http/protobuf'])
  const isOff = /^true$/i.test(env.OTEL_SDK_DISABLED ?? '')
  return isOff || (traces === null && metrics === null) ? null : config
}

/** Reads the endpoint that is set for this signal alone, or else the common endpoint with `path` appended. */
function readCollector(env: Env, signal: 'TRACES' | 'METRICS', path: string): Collector | null {
  const name = `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`
  const own = readEndpoint(env, name)
  const common = readEndpoint(env, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  const form = 'headers such as api-key=secret'
  const headers = {
    ...readPairs(env, 'OTEL_EXPORTER_OTLP_HEADERS', form),
    ...readPairs(env, `OTEL_EXPORTER_OTLP_${signal}_HEADERS`, form),
  }
  const fallback = getSetting('OTEL_TRACES_EXPORTER').default
  const exporter = readChoice(env, `OTEL_${signal}_EXPORTER`, ['otlp', 'none'], fallback)
  const url = own ?? (common && `${common.replace(/\/+$/, '')}/${path}`)
  return url === undefined || exporter === 'none' ? null : { url, headers }
}

function readEndpoint(env: Env, name: string): string | undefined {
  const text = env[name] || undefined
  if (text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new ConfigError(`${name} must be like http://collector:4318, not "${text}"`)
}

/** Parses `key=value` pairs in the format of W3C Baggage, with percent-encoded values. */
function readPairs(env: Env, name: string, form: string): Record<string, string> {
  const items = (env[name] ?? '').split(',').filter((item) => item.trim() !== '')
  return Object.fromEntries(
    items.map((item) => {
      const [, key, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=([\x20-\x7e]*)$/.exec(item) ?? []
      const decoded = value === undefined ? undefined : decode(value.trim())
      // Omits the item from the message, since it may be a secret.
      if (key === undefined || decoded === undefined) throw new ConfigError(`${name} takes ${form}, percent-encoded`)
      return [key, decoded]
    }),
  )
}

/** Decodes a percent-encoded header value; undefined if it is malformed or not allowed in a header. */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text)
    return /^[\t\x20-\x7e]*$/.test(decoded) ? decoded : undefined
  } catch {
    return undefined
  }
}

const samplers: Record<string, (ratio: number) => Sampler> = {
  always_on: () => ({ ratio: 1, followsCaller: false }),
  always_off: () => ({ ratio: 0, followsCaller: false }),
  traceidratio: (ratio) => ({ ratio, followsCaller: false }),
  parentbased_always_on: () => ({ ratio: 1, followsCaller: true }),
  parentbased_always_off: () => ({ ratio: 0, followsCaller: true }),
  parentbased_traceidratio: (ratio) => ({ ratio, followsCaller: true }),
}

function readSampler(env: Env): Sampler {
  const ratio = Number(readValue(env, 'OTEL_TRACES_SAMPLER_ARG'))
  if (!(ratio >= 0 && ratio <= 1)) {
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be from 0 to 1, not "${env.OTEL_TRACES_SAMPLER_ARG}"`)
  }
  const name = readChoice(env, 'OTEL_TRACES_SAMPLER', Object.keys(samplers))
  return (samplers[name] as (ratio: number) => Sampler)(ratio)
}
