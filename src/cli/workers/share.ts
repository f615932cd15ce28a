import type { IncomingMessage, ServerResponse } from 'node:http'
import { surplusEvent } from '../../http/express-lane.ts'
import type { Serving } from '../serving.ts'
import type { FromWorker, ToWorker } from './messages.ts'

const everyMs = 1000

/**
 * Says now and then how many connections there are, and ends as many as are said to be too many, each with an answer:
 * its caller connects again, to a worker that has fewer.
 */
export function shareConnections({ server, isWatched }: Pick<Serving, 'server' | 'isWatched'>): void {
  let surplus = 0
  const endWithAnswer = (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false
    surplus--
    if (surplus === 0) server.off('request', endWithAnswer)
  }
  const expect = (count: number) => {
    surplus = count
    server.off('request', endWithAnswer)
    if (count === 0) return
    server.prependListener('request', endWithAnswer)
    server.emit(surplusEvent, count)
  }
  process.on('message', (message: ToWorker) => message.kind === 'surplus' && expect(message.count))
  const report = () => {
    expect(0)
    server.getConnections((_error, count = 0) => {
      process.send?.({ kind: 'connections', count, isWatched: isWatched() } satisfies FromWorker)
    })
  }
  setInterval(report, everyMs).unref()
}
