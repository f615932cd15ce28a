import { Histogram } from '@prometheus-io/client'
import { WebhookMetrics } from '../../operations/webhook/webhook-metrics.ts'
import { type Metrics, registerCollected, valuesBy } from './metrics.ts'

/** Upper bounds of the histogram in seconds. The last is the timeout of a delivery attempt. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/** Registers the metrics of webhook deliveries. They have no labels for partners and URLs, which are confidential. */
export function registerWebhookMetrics({ registry }: Metrics): WebhookMetrics {
  const name = 'atrium_webhook_delivery_seconds'
  const help = 'Duration of one attempt to deliver an event to a webhook'
  const seconds = new Histogram({ name, help, buckets, registers: [registry] })
  const metrics = new WebhookMetrics((took) => seconds.observe(took))
  registerCollected(registry, [
    {
      type: 'counter',
      name: 'atrium_webhook_deliveries_total',
      help: 'Delivery attempts by outcome',
      values: () => valuesBy('outcome', metrics.deliveries),
    },
    {
      type: 'counter',
      name: 'atrium_webhook_switched_off_total',
      help: 'Webhooks switched off by the service',
      values: () => valuesBy('reason', metrics.switchedOff),
    },
    {
      type: 'gauge',
      name: 'atrium_webhook_attempts_waiting',
      help: 'Webhooks that this node sends to, or is about to send to',
      values: () => [{ labels: {}, value: metrics.waiting }],
    },
    // All workers read the same values from the database. Hence the maximum: a sum would count them once per worker.
    {
      type: 'gauge',
      name: 'atrium_webhook_endpoints',
      help: 'Webhooks of the whole installation, by state',
      aggregator: 'max',
      values: () => valuesBy('state', metrics.endpoints),
    },
    {
      type: 'gauge',
      name: 'atrium_webhook_oldest_waiting_seconds',
      help: 'Age of the oldest event that this node is sending, and how long any webhook has failed',
      aggregator: 'max',
      values: () => valuesBy('state', metrics.oldestSeconds),
    },
  ])
  return metrics
}
