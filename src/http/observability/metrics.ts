import { Counter, collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client'
import type { EstateCache } from '../../storage/cached/estate-cache.ts'
import type { Db } from '../../storage/database.ts'
import type { Overload } from '../pipeline/overload.ts'
import { metric, RequestMetrics } from './request-metrics.ts'

export interface Metrics {
  registry: Registry
  requests: RequestMetrics
  databaseSeconds: Histogram<'kind'>
  /** Reads that the replica may serve, by the server that did, and why. */
  replicaReads: Counter<'server' | 'reason'>
  /** Returns the body of a response to /metrics, in the Prometheus text format. */
  text(): Promise<string>
}

/** The values of all metrics of one process, as an object that can be sent to another process. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export function aggregateMetrics(snapshots: MetricsSnapshot[]): Registry {
  return Registry.aggregate(snapshots)
}

const bucketsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Removes a metric of the type summary: the quantiles of several workers cannot be combined. A histogram has the same
  // data.
  registry.removeSingleMetric('nodejs_eventloop_utilization_summary')
  const requests = new RequestMetrics()
  requests.register(registry)
  return {
    registry,
    text: () => registry.metrics(),
    requests,
    databaseSeconds: new Histogram({
      name: 'atrium_database_transaction_seconds',
      help: 'Time of database transactions, waiting for a connection included',
      labelNames: ['kind'],
      buckets: bucketsSeconds,
      registers: [registry],
    }),
    replicaReads: new Counter({
      name: 'atrium_replica_reads_total',
      help: 'Reads that the replica may serve, by the server that did, and why',
      labelNames: ['server', 'reason'],
      registers: [registry],
    }),
  }
}

/** Registers metrics of the caches: their hits, misses and sizes. */
export function registerCacheMetrics({ registry }: Metrics, cache: EstateCache): void {
  const series = [
    ['counter', 'hits', 'atrium_memory_hits_total', 'Cache hits'],
    ['counter', 'misses', 'atrium_memory_misses_total', 'Cache misses, each of which queried the database'],
    ['gauge', 'bytes', 'atrium_memory_bytes', 'Bytes in the caches, limited by ATRIUM_MEMORY_BYTES'],
    ['gauge', 'entries', 'atrium_memory_entries', 'Cache entries'],
  ] as const
  for (const [type, key, name, help] of series) {
    const values = () => Object.entries(cache.metrics).map(([of, metrics]) => ({ labels: { of }, value: metrics[key] }))
    registry.registerMetric(metric(type, { name, help }, values))
  }
}

/** Registers the length of the queue for the database, and the number of requests refused because of overload. */
export function registerLoadMetrics({ registry }: Metrics, { pending }: Db, { refused }: Overload): void {
  const series = (label: string, counts: Readonly<Record<string, number>>) => () =>
    Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }))
  const waiting = { name: 'atrium_database_under_way', help: 'Transactions and single queries that wait or run' }
  registry.registerMetric(metric('gauge', waiting, series('kind', pending)))
  const refusals = { name: 'atrium_overload_refusals_total', help: 'Requests refused at once because of overload' }
  registry.registerMetric(metric('counter', refusals, series('reason', refused)))
}
