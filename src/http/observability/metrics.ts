import { collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client'
import type { EstateCache } from '../../storage/cached/estate-cache.ts'
import type { Db } from '../../storage/database.ts'
import type { Overload } from '../pipeline/overload.ts'
import { metric, RequestFigures } from './request-metrics.ts'

export interface Metrics {
  registry: Registry
  requests: RequestFigures
  databaseSeconds: Histogram<'kind'>
  /** What /metrics answers. */
  text(): Promise<string>
}

/** What one process counted, in a form that can be sent to another. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export function aggregateMetrics(counted: MetricsSnapshot[]): Registry {
  return Registry.aggregate(counted)
}

const quick = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Quantiles of several workers cannot be added up; the histogram beside it can.
  registry.removeSingleMetric('nodejs_eventloop_utilization_summary')
  const requests = new RequestFigures()
  requests.register(registry)
  return {
    registry,
    text: () => registry.metrics(),
    requests,
    databaseSeconds: new Histogram({
      name: 'atrium_database_transaction_seconds',
      help: 'Time of database transactions, waiting for a connection included',
      labelNames: ['kind'],
      buckets: quick,
      registers: [registry],
    }),
  }
}

/** What the node remembers: how much of it, and how often it was at hand. */
export function registerCacheMetrics({ registry }: Metrics, cache: EstateCache): void {
  const about = [
    ['counter', 'hits', 'atrium_memory_hits_total', 'Look-ups that found what they wanted in memory'],
    ['counter', 'misses', 'atrium_memory_misses_total', 'Look-ups that had to ask the database'],
    ['gauge', 'bytes', 'atrium_memory_bytes', 'Bytes remembered, bounded by ATRIUM_MEMORY_BYTES'],
    ['gauge', 'entries', 'atrium_memory_entries', 'Things remembered'],
  ] as const
  for (const [type, figure, name, help] of about) {
    const values = () =>
      Object.entries(cache.metrics).map(([of, figures]) => ({ labels: { of }, value: figures[figure] }))
    registry.registerMetric(metric(type, { name, help }, values))
  }
}

/** Work that stands in line, and work that was sent away. */
export function registerLoadMetrics({ registry }: Metrics, { pending }: Db, { refused }: Overload): void {
  const series = (label: string, counts: Readonly<Record<string, number>>) => () =>
    Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }))
  const waiting = { name: 'atrium_database_under_way', help: 'Transactions and questions that wait or run' }
  registry.registerMetric(metric('gauge', waiting, series('kind', pending)))
  const sentAway = { name: 'atrium_overload_refusals_total', help: 'Requests refused at once because of overload' }
  registry.registerMetric(metric('counter', sentAway, series('reason', refused)))
}
