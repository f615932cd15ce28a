import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { Refusal } from '../domain/refusal.ts'

export interface Metrics {
  registry: Registry
  requests: Counter
  requestSeconds: Histogram
  databaseSeconds: Histogram
}

const quick = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requests: new Counter({
      name: 'atrium_http_requests_total',
      help: 'Requests by method, route and status',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
    }),
    requestSeconds: new Histogram({
      name: 'atrium_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: quick,
      registers: [registry],
    }),
    databaseSeconds: new Histogram({
      name: 'atrium_database_transaction_seconds',
      help: 'Time of database transactions, waiting for a connection included',
      labelNames: ['kind'],
      buckets: quick,
      registers: [registry],
    }),
  }
}

export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }
    metrics.requests.inc(labels)
    metrics.requestSeconds.observe(labels, reply.elapsedTime / 1000)
  })
}

const loopback = /^(127\.|::1$|::ffff:127\.)/

/** For a collector on the same machine. What a proxy forwards comes from elsewhere, whatever its own address is. */
export function registerMetrics(app: FastifyInstance, { registry }: Metrics): void {
  app.get('/metrics', async (request, reply) => {
    const { headers, socket } = request
    const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
    if (forwarded || !loopback.test(socket.remoteAddress ?? '')) {
      throw new Refusal('metrics_not_allowed', 'Metrics are answered to this machine only.')
    }
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics())
  })
}
