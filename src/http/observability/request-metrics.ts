import type { MetricObject, Registry } from '@prometheus-io/client'
import { logText } from './log.ts'

const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The requests of one method, route and status: plain numbers, because they are counted with every request. */
export class RequestFigure {
  readonly labels: { method: string; route: string; status: number }
  readonly buckets: number[] = bounds.map(() => 0)
  /** What the log says of each of them. */
  readonly text: string
  count = 0
  sumSeconds = 0

  constructor(method: string, route: string | null, status: number) {
    this.labels = { method, route: route ?? 'none', status }
    this.text = logText(method, route, status)
  }

  observe(seconds: number): void {
    this.count++
    this.sumSeconds += seconds
    for (let at = 0; at < bounds.length; at++) {
      if (seconds > (bounds[at] as number)) continue
      this.buckets[at] = (this.buckets[at] as number) + 1
      return
    }
  }
}

export class RequestFigures {
  readonly #all = new Map<string, RequestFigure>()

  of(method: string, route: string | null, status: number): RequestFigure {
    const key = `${method} ${route} ${status}`
    let figure = this.#all.get(key)
    if (figure === undefined) {
      figure = new RequestFigure(method, route, status)
      this.#all.set(key, figure)
    }
    return figure
  }

  register(registry: Registry): void {
    const counter = { name: 'atrium_http_requests_total', help: 'Requests by method, route and status' }
    registry.registerMetric(
      metric('counter', counter, () => this.#used().map(({ labels, count: value }) => ({ labels, value }))),
    )
    const name = 'atrium_http_request_duration_seconds'
    const help = 'Time from the head of a request to the end of its answer'
    registry.registerMetric(
      metric('histogram', { name, help }, () => this.#used().flatMap((one) => seriesOf(name, one))),
    )
  }

  #used(): RequestFigure[] {
    return [...this.#all.values()].filter(({ count }) => count > 0)
  }
}

interface Series {
  labels: Record<string, string | number>
  value: number
  metricName?: string
}

function seriesOf(name: string, { labels, buckets, count, sumSeconds }: RequestFigure): Series[] {
  let below = 0
  const cumulated = buckets.map((bucket, at) => {
    below += bucket
    return { metricName: `${name}_bucket`, labels: { le: bounds[at] as number, ...labels }, value: below }
  })
  return [
    ...cumulated,
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: count },
  ]
}

type Registered = Parameters<Registry['registerMetric']>[0]

interface About {
  name: string
  help: string
  /** How the figures of several processes of a node become one: `sum` where nothing is said. */
  aggregator?: 'sum' | 'max'
}

/** What a registry asks of a metric, for figures that are kept elsewhere. */
export function metric(type: string, about: About, values: () => Series[]): Registered {
  const get = async () => ({ aggregator: 'sum', ...about, type, values: values() }) as unknown as MetricObject
  return { ...about, type, get, reset: () => {} } as unknown as Registered
}
