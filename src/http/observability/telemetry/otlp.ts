import type { MetricsSnapshot } from '../metrics.ts'
import type { Span, SpanKind } from './tracer.ts'

/** Serializes spans and metrics as JSON for the OpenTelemetry protocol (OTLP 1.x over HTTP). */

type Attributes = Record<string, string | number>

const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3 }
const failed = { code: 2 }

export function tracesBody(resource: Attributes, spans: Span[]): object {
  const rendered = spans.map(({ traceId, spanId, parentId, name, kind, startMs, endMs, attributes, isFailure }) => ({
    traceId,
    spanId,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributeList(attributes),
    ...(isFailure && { status: failed }),
  }))
  return { resourceSpans: [{ resource: resourceOf(resource), scopeSpans: [{ scope, spans: rendered }] }] }
}

const scope = { name: 'atrium' }
/** AGGREGATION_TEMPORALITY_CUMULATIVE of OTLP: values count from the start of the process. */
const cumulative = 2

export function metricsBody(resource: Attributes, snapshot: MetricsSnapshot, startMs: number, nowMs: number): object {
  const times = { startTimeUnixNano: nanoseconds(startMs), timeUnixNano: nanoseconds(nowMs) }
  const metrics = snapshot.flatMap((metric) => {
    const data = dataOf(metric as unknown as Metric, times)
    return data === undefined
      ? []
      : [{ name: metric.name, description: metric.help, unit: unitOf(metric.name), ...data }]
  })
  return { resourceMetrics: [{ resource: resourceOf(resource), scopeMetrics: [{ scope, metrics }] }] }
}

/** Returns the unit, as a UCUM code, that the name of a Prometheus metric ends with. */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's'
  return /_bytes(_total)?$/.test(name) ? 'By' : '1'
}

interface Value {
  labels: Attributes
  value: number
  metricName?: string
}

interface Metric {
  name: string
  type: string
  values: Value[]
}

function dataOf(metric: Metric, times: object): object | undefined {
  const { type, values } = metric
  const dataPoints = () =>
    values.map(({ labels, value }) => ({ attributes: attributeList(labels), ...times, asDouble: value }))
  if (type === 'counter') {
    return { sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints: dataPoints() } }
  }
  if (type === 'gauge') return { gauge: { dataPoints: dataPoints() } }
  if (type !== 'histogram') return undefined
  return { histogram: { aggregationTemporality: cumulative, dataPoints: histograms(metric, times) } }
}

/** Converts histograms: the count of a Prometheus bucket includes all smaller ones, that of an OTLP bucket does not. */
function histograms({ name, values }: Metric, times: object): object[] {
  const bySeries = new Map<string, { labels: Attributes; sum: number; count: number; bounds: [number, number][] }>()
  for (const { labels, value, metricName } of values) {
    const { le, ...own } = labels
    const key = JSON.stringify(Object.entries(own).sort())
    const series = bySeries.get(key) ?? { labels: own, sum: 0, count: 0, bounds: [] }
    bySeries.set(key, series)
    if (metricName === `${name}_sum`) series.sum = value
    else if (metricName === `${name}_count`) series.count = value
    else if (le !== undefined && le !== '+Inf') series.bounds.push([Number(le), value])
  }
  return [...bySeries.values()].map(({ labels, sum, count, bounds }) => {
    const below = [0, ...bounds.map(([, value]) => value), count]
    return {
      attributes: attributeList(labels),
      ...times,
      sum,
      count: String(count),
      explicitBounds: bounds.map(([bound]) => bound),
      bucketCounts: below.slice(1).map((value, at) => String(value - (below[at] as number))),
    }
  })
}

function resourceOf(attributes: Attributes): object {
  return { attributes: attributeList(attributes) }
}

function attributeList(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? numeric(value) : { stringValue: value },
  }))
}

function numeric(value: number): object {
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Returns nanoseconds as a text, because a number cannot hold all 19 digits. Their precision is one microsecond. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`
}
