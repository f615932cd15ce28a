import type { MetricObject, Registry } from '@prometheus-io/client'
import { commonLogText } from './log.ts'

const boundsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/**
 * The counter and the histogram for one combination of method, route and status. Uses plain numbers, as every request
 * updates them.
 */
export class RequestSeries {
  readonly labels: { method: string; route: string; status: number }
  readonly buckets: number[] = boundsSeconds.map(() => 0)
  /** The part of a log line that is the same for all requests with this method, route and status. */
  readonly logText: string
  count = 0
  sumSeconds = 0

  constructor(method: string, route: string | null, status: number) {
    this.labels = { method, route: route ?? 'none', status }
    this.logText = commonLogText(method, route, status)
  }

  observe(seconds: number): void {
    this.count++
    this.sumSeconds += seconds
    for (let at = 0; at < boundsSeconds.length; at++) {
      if (seconds > (boundsSeconds[at] as number)) continue
      this.buckets[at] = (this.buckets[at] as number) + 1
      return
    }
  }
}

export class RequestMetrics {
  readonly #all = new Map<string, RequestSeries>()

  get(method: string, route: string | null, status: number): RequestSeries {
    const key = `${method} ${route} ${status}`
    let series = this.#all.get(key)
    if (series === undefined) {
      series = new RequestSeries(method, route, status)
      this.#all.set(key, series)
    }
    return series
  }

  register(registry: Registry): void {
    const counter = { name: 'atrium_http_requests_total', help: 'Requests by method, route and status' }
    registry.registerMetric(
      metric('counter', counter, () => this.#used().map(({ labels, count: value }) => ({ labels, value }))),
    )
    const name = 'atrium_http_request_duration_seconds'
    const help = 'Time from the head of a request to the end of its response'
    registry.registerMetric(
      metric('histogram', { name, help }, () => this.#used().flatMap((series) => samplesOf(name, series))),
    )
  }

  #used(): RequestSeries[] {
    return [...this.#all.values()].filter(({ count }) => count > 0)
  }
}

interface Sample {
  labels: Record<string, string | number>
  value: number
  metricName?: string
}

function samplesOf(name: string, { labels, buckets, count, sumSeconds }: RequestSeries): Sample[] {
  let below = 0
  const cumulated = buckets.map((bucket, at) => {
    below += bucket
    return { metricName: `${name}_bucket`, labels: { le: boundsSeconds[at] as number, ...labels }, value: below }
  })
  return [
    ...cumulated,
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: count },
  ]
}

type Registered = Parameters<Registry['registerMetric']>[0]

interface MetricInfo {
  name: string
  help: string
  /** How the values of several workers become one; `sum` if omitted. */
  aggregator?: 'sum' | 'max'
}

/** Returns a metric for the registry. `values` is called when the metrics are read. */
export function metric(type: string, info: MetricInfo, values: () => Sample[]): Registered {
  const get = async () => ({ aggregator: 'sum', ...info, type, values: values() }) as unknown as MetricObject
  return { ...info, type, get, reset: () => {} } as unknown as Registered
}
