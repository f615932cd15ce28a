import { randomUUID } from 'node:crypto'
import type { TelemetryConfig } from '../../../config/telemetry.ts'
import { type Metrics, registerCollected, valuesBy } from '../metrics.ts'
import { exportTo } from './export.ts'
import { metricsBody, tracesBody } from './otlp.ts'
import { SpanExporter } from './span-exporter.ts'
import { Tracer } from './tracer.ts'

const lastExportMs = 2_000

interface ServiceInfo {
  version: string
  /** The scheme of the URL under which callers reach this node. */
  scheme: 'http' | 'https'
}

/** Exports in the background. While the collector is unavailable, traces and metrics can be lost. */
export class Telemetry {
  readonly tracer: Tracer
  readonly config: TelemetryConfig
  readonly #metrics: Metrics
  readonly #resource: Record<string, string>
  readonly #startMs = Date.now()
  readonly #spans: SpanExporter
  readonly #ending = new AbortController()

  constructor(config: TelemetryConfig, metrics: Metrics, { version, scheme }: ServiceInfo) {
    this.tracer = new Tracer(config, scheme)
    this.config = config
    this.#metrics = metrics
    this.#resource = { ...config.resource, 'service.version': version, 'service.instance.id': randomUUID() }
    const send: ConstructorParameters<typeof SpanExporter>[1] = async (spans) =>
      config.traces === null ? 0 : exportTo(config.traces, tracesBody(this.#resource, spans), this.#exporting())
    this.#spans = new SpanExporter(this.tracer, send, config.batchSize, config.tracesEveryMs)
    registerCollected(metrics.registry, [
      {
        type: 'counter',
        name: 'atrium_telemetry_spans_dropped_total',
        help: 'Spans dropped, by reason',
        values: () => valuesBy('reason', { queue_full: this.tracer.dropped, ...this.#spans.dropped }),
      },
    ])
  }

  sendTraces(): Promise<void> {
    return this.#spans.flush()
  }

  async sendMetrics(): Promise<void> {
    if (this.config.metrics === null) return
    const snapshot = await this.#metrics.registry.getMetricsAsJSON()
    const body = metricsBody(this.#resource, snapshot, this.#startMs, Date.now())
    await exportTo(this.config.metrics, body, this.#exporting())
  }

  /** Exports everything that is queued, in at most two seconds, before the process exits. */
  async sendLast(): Promise<void> {
    const timer = setTimeout(() => this.#ending.abort(), lastExportMs)
    await Promise.allSettled([this.#spans.flush(true), this.sendMetrics()])
    clearTimeout(timer)
  }

  #exporting() {
    const { isCompressed, timeoutMs } = this.config
    return { isCompressed, signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#ending.signal]) }
  }
}
