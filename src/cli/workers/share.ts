import type { Serving } from '../serving.ts'
import type { FromWorker, ToWorker } from './messages.ts'

const everyMs = 1000

/**
 * Reports now and then how many connections there are, and ends as many as are said to be too many, each with a response:
 * its caller connects again, to a worker that has fewer.
 */
export function shareConnections({ server, draining }: Pick<Serving, 'server' | 'draining'>): void {
  process.on('message', (message: ToWorker) => message.kind === 'surplus' && draining.endSurplus(message.count))
  const report = () => {
    draining.endSurplus(0)
    server.getConnections((_error, count = 0) => {
      process.send?.({ kind: 'connections', count, isWatched: draining.isWatched } satisfies FromWorker)
    })
  }
  setInterval(report, everyMs).unref()
}
