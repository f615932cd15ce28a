import {
  aggregateMetrics,
  createMetrics,
  type Metrics,
  type MetricsSnapshot,
} from '../../http/observability/metrics.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** How long to wait for the metrics of the other workers. Longer than the primary process waits for any one of them. */
const timeoutMs = 2_000

/** Metrics of which `text` sums the values of all workers, because a scrape of /metrics can reach any worker. */
export function sharedMetrics(): Metrics {
  const metrics = createMetrics()
  const inherited: MetricsSnapshot[] = []
  const pending = new Map<number, (counted: MetricsSnapshot[]) => void>()
  let lastRequestId = 0

  const own = async (): Promise<MetricsSnapshot> =>
    aggregateMetrics([...inherited, await metrics.registry.getMetricsAsJSON()]).getMetricsAsJSON()
  process.on('message', async (message: ToWorker) => {
    if (message.kind === 'report metrics') {
      sendToPrimary({ kind: 'metrics', requestId: message.requestId, counted: await own() })
    }
    if (message.kind === 'collected metrics') pending.get(message.requestId)?.(message.counted)
    if (message.kind === 'inherit metrics') inherited.push(message.counted.filter(isTotal))
  })

  const text = async () => {
    const counted = await own()
    const requestId = ++lastRequestId
    const others = await new Promise<MetricsSnapshot[]>((resolve) => {
      const timeout = setTimeout(resolve, timeoutMs, [])
      pending.set(requestId, (counted) => {
        clearTimeout(timeout)
        resolve(counted)
      })
      sendToPrimary({ kind: 'collect metrics', requestId, counted })
    })
    pending.delete(requestId)
    return aggregateMetrics([counted, ...others]).metrics()
  }
  return { ...metrics, text }
}

/** Only totals of a crashed worker pass on to its successor: a gauge describes a single process. */
function isTotal({ type }: MetricsSnapshot[number]): boolean {
  return ['counter', 'histogram'].includes(String(type))
}

function sendToPrimary(message: FromWorker): void {
  process.send?.(message)
}
