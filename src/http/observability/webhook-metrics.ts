import { Histogram } from '@prometheus-io/client'
import { WebhookMetrics } from '../../operations/webhook/webhook-metrics.ts'
import type { Metrics } from './metrics.ts'
import { metric } from './request-metrics.ts'

/** A receiver may take 15 seconds. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/** What is sent to webhooks, what waits and what no longer is; whose they are and where they lead is not told here. */
export function registerWebhookMetrics({ registry }: Metrics): WebhookMetrics {
  const name = 'atrium_webhook_delivery_seconds'
  const help = 'Time of one try to send an event to a webhook'
  const seconds = new Histogram({ name, help, buckets, registers: [registry] })
  const metrics = new WebhookMetrics((took) => seconds.observe(took))
  const series = (label: string, counts: () => Record<string, number>) => () =>
    Object.entries(counts()).map(([value, count]) => ({ labels: { [label]: value }, value: count }))
  const deliveries = { name: 'atrium_webhook_deliveries_total', help: 'Tries to send an event, by what came of them' }
  const switchedOff = { name: 'atrium_webhook_switched_off_total', help: 'Webhooks switched off by the service' }
  const waiting = { name: 'atrium_webhook_attempts_waiting', help: 'Webhooks that this node sends to, or is about to' }
  const endpoints = { name: 'atrium_webhook_endpoints', help: 'Webhooks of the whole installation, by state' }
  const oldest = {
    name: 'atrium_webhook_oldest_waiting_seconds',
    help: 'Age of the oldest event that this node is sending, and how long any webhook has failed',
  }
  for (const one of [
    metric(
      'counter',
      deliveries,
      series('outcome', () => metrics.deliveries),
    ),
    metric(
      'counter',
      switchedOff,
      series('reason', () => metrics.switchedOff),
    ),
    metric('gauge', waiting, () => [{ labels: {}, value: metrics.waiting }]),
    // Each process sees all of them.
    metric(
      'gauge',
      { ...endpoints, aggregator: 'max' },
      series('state', () => metrics.endpoints),
    ),
    metric(
      'gauge',
      { ...oldest, aggregator: 'max' },
      series('state', () => metrics.oldestSeconds),
    ),
  ]) {
    registry.registerMetric(one)
  }
  return metrics
}
