import { Counter, collectDefaultMetrics, Histogram, type MetricObject, Registry } from '@prometheus-io/client'
import type { CacheMetrics } from '../../cache/lru-cache.ts'
import type { EstateCache } from '../../storage/cached/estate-cache.ts'
import type { Db } from '../../storage/database.ts'
import type { Overload } from '../pipeline/overload.ts'

type RequestLabel = 'method' | 'route' | 'status'

export interface Metrics {
  registry: Registry
  requests: Counter<RequestLabel>
  requestSeconds: Histogram<RequestLabel>
  databaseSeconds: Histogram<'kind'>
  replicaReads: Counter<'server' | 'reason'>
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
  // A summary's quantiles cannot be combined over several workers; the histogram of the same data can.
  registry.removeSingleMetric('nodejs_eventloop_utilization_summary')
  return {
    registry,
    text: () => registry.metrics(),
    requests: new Counter({
      name: 'atrium_http_requests_total',
      help: 'Requests by method, route and status',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
    }),
    requestSeconds: new Histogram({
      name: 'atrium_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: bucketsSeconds,
      registers: [registry],
    }),
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

/** A metric whose values are determined when the metrics are requested, not when something happens. */
interface Collected {
  type: 'counter' | 'gauge'
  name: string
  help: string
  /** How the values of several workers become one; `sum` if omitted. */
  aggregator?: 'sum' | 'max'
  values(): Sample[]
}

interface Sample {
  labels: Record<string, string>
  value: number
}

type Registered = Parameters<Registry['registerMetric']>[0]

export function registerCollected(registry: Registry, metrics: Collected[]): void {
  for (const { values, aggregator = 'sum', ...info } of metrics) {
    const get = async () => ({ ...info, aggregator, values: values() }) as unknown as MetricObject
    registry.registerMetric({ ...info, get, reset: () => {} } as unknown as Registered)
  }
}

export function valuesBy(label: string, counts: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }))
}

export function registerCacheMetrics({ registry }: Metrics, cache: EstateCache): void {
  const values = (key: keyof CacheMetrics) => () =>
    Object.entries(cache.metrics).map(([of, metrics]) => ({ labels: { of }, value: metrics[key] }))
  const misses = 'Cache misses, each of which queried the database'
  const bytes = 'Bytes in the caches, limited by ATRIUM_MEMORY_BYTES'
  registerCollected(registry, [
    { type: 'counter', name: 'atrium_memory_hits_total', help: 'Cache hits', values: values('hits') },
    { type: 'counter', name: 'atrium_memory_misses_total', help: misses, values: values('misses') },
    { type: 'gauge', name: 'atrium_memory_bytes', help: bytes, values: values('bytes') },
    { type: 'gauge', name: 'atrium_memory_entries', help: 'Cache entries', values: values('entries') },
  ])
}

export function registerLoadMetrics({ registry }: Metrics, { pending }: Db, { refused }: Overload): void {
  registerCollected(registry, [
    {
      type: 'gauge',
      name: 'atrium_database_under_way',
      help: 'Transactions and single queries that wait or run',
      values: () => valuesBy('kind', pending),
    },
    {
      type: 'counter',
      name: 'atrium_overload_refusals_total',
      help: 'Requests refused at once because of overload',
      values: () => valuesBy('reason', refused),
    },
  ])
}
