import type { Serving } from '../serving.ts'
import type { FromWorker, ToWorker } from './messages.ts'

const intervalMs = 1000

/** Closes surplus connections after their next response: their clients reconnect, to a worker that has fewer. */
export function reportConnections({ server, draining }: Pick<Serving, 'server' | 'draining'>): void {
  process.on('message', (message: ToWorker) => message.kind === 'surplus' && draining.closeSurplus(message.count))
  const report = () => {
    draining.closeSurplus(0)
    server.getConnections((_error, count = 0) => {
      process.send?.({ kind: 'connections', count, hasReadinessProbe: draining.hasReadinessProbe } satisfies FromWorker)
    })
  }
  setInterval(report, intervalMs).unref()
}
