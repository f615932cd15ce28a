import { randomUUID } from 'node:crypto'
import type { TelemetryConfig } from '../../../config/telemetry.ts'
import type { Metrics } from '../metrics.ts'
import { metric } from '../request-metrics.ts'
import { exportTo } from './export.ts'
import { metricsBody, tracesBody } from './otlp.ts'
import { SpanExporter } from './span-exporter.ts'
import { Tracer } from './tracer.ts'

const lastWithinMs = 2_000

/** What all spans of an installation have in common. */
export interface Surroundings {
  version: string
  /** How callers reach it. */
  scheme: 'http' | 'https'
}

/** Sends traces and metrics to a collector (OpenTelemetry). No request waits for it, and what it does not take is no loss. */
export class Telemetry {
  readonly tracer: Tracer
  readonly config: TelemetryConfig
  readonly #metrics: Metrics
  readonly #resource: Record<string, string>
  readonly #startMs = Date.now()
  readonly #spans: SpanExporter
  readonly #ending = new AbortController()

  constructor(config: TelemetryConfig, metrics: Metrics, { version, scheme }: Surroundings) {
    this.tracer = new Tracer(config, scheme)
    this.config = config
    this.#metrics = metrics
    this.#resource = { ...config.resource, 'service.version': version, 'service.instance.id': randomUUID() }
    const send: ConstructorParameters<typeof SpanExporter>[1] = async (spans) =>
      config.traces === null ? 0 : exportTo(config.traces, tracesBody(this.#resource, spans), this.#exporting())
    this.#spans = new SpanExporter(this.tracer, send, config.batchSize, config.tracesEveryMs)
    const about = { name: 'atrium_telemetry_spans_dropped_total', help: 'Spans that no collector took, by reason' }
    metrics.registry.registerMetric(metric('counter', about, () => this.#dropped()))
  }

  sendTraces(): Promise<void> {
    return this.#spans.flush()
  }

  async sendMetrics(): Promise<void> {
    if (this.config.metrics === null) return
    const counted = await this.#metrics.registry.getMetricsAsJSON()
    const body = metricsBody(this.#resource, counted, this.#startMs, Date.now())
    await exportTo(this.config.metrics, body, this.#exporting())
  }

  /** What is left, before the process ends. */
  async sendLast(): Promise<void> {
    const timer = setTimeout(() => this.#ending.abort(), lastWithinMs)
    await Promise.allSettled([this.#spans.flush(true), this.sendMetrics()])
    clearTimeout(timer)
  }

  #exporting() {
    const { isCompressed, timeoutMs } = this.config
    return { isCompressed, signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#ending.signal]) }
  }

  #dropped() {
    const byReason = { queue_full: this.tracer.dropped, ...this.#spans.dropped }
    return Object.entries(byReason).map(([reason, value]) => ({ labels: { reason }, value }))
  }
}
