import { randomUUID } from 'node:crypto'
import type { TelemetryConfig } from '../../config/telemetry.ts'
import type { Metrics } from '../metrics.ts'
import { metricsBody, tracesBody } from './otlp.ts'
import { Tracer } from './tracer.ts'

const patienceMs = 10_000
const lastPatienceMs = 2_000

/** Sends traces and metrics to a collector (OpenTelemetry). Nothing waits for it, and what it cannot send is no loss. */
export class Telemetry {
  readonly tracer: Tracer
  readonly config: TelemetryConfig
  readonly #metrics: Metrics
  readonly #resource: Record<string, string>
  readonly #startMs = Date.now()

  constructor(config: TelemetryConfig, metrics: Metrics, version: string) {
    this.tracer = new Tracer(config.ratio)
    this.config = config
    this.#metrics = metrics
    this.#resource = {
      'service.name': config.serviceName,
      'service.version': version,
      'service.instance.id': randomUUID(),
    }
  }

  async sendTraces(waitMs = patienceMs): Promise<void> {
    const spans = this.tracer.take()
    if (spans.length === 0) return
    try {
      await this.#send('traces', tracesBody(this.#resource, spans), waitMs)
    } catch (error) {
      this.tracer.giveBack(spans)
      throw error
    }
  }

  async sendMetrics(waitMs = patienceMs): Promise<void> {
    const counted = await this.#metrics.registry.getMetricsAsJSON()
    await this.#send('metrics', metricsBody(this.#resource, counted, this.#startMs, Date.now()), waitMs)
  }

  /** What is left, before the process ends. */
  async sendLast(): Promise<void> {
    await Promise.allSettled([this.sendTraces(lastPatienceMs), this.sendMetrics(lastPatienceMs)])
  }

  async #send(signal: 'traces' | 'metrics', body: object, waitMs: number): Promise<void> {
    const { endpoint, headers } = this.config
    const response = await fetch(`${endpoint}/v1/${signal}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(waitMs),
    })
    await response.body?.cancel()
    if (!response.ok) throw Object.assign(new Error('refused'), { code: `status ${response.status}` })
  }
}
