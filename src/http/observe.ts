import type { FastifyInstance } from 'fastify'
import type { RequestEntry, RequestLog } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { RequestFigure, RequestFigures } from './request-figures.ts'

/** Whoever counts the same kind of request over and over finds its figure once. */
export interface Observe {
  (entry: RequestEntry, figure?: RequestFigure): void
  figureOf: RequestFigures['of']
}

/** Every request is logged and counted here, whichever way it went. */
export function observer({ requests }: Metrics, log: RequestLog): Observe {
  const figureOf = requests.of.bind(requests)
  const observe = (entry: RequestEntry, figure?: RequestFigure) => {
    const counted = figure ?? figureOf(entry.method, entry.route, entry.status)
    counted.observe(entry.durationMs / 1000)
    log(entry, counted.text)
  }
  return Object.assign(observe, { figureOf })
}

export function observeRequests(app: FastifyInstance, observe: Observe): void {
  app.addHook('onResponse', (request, reply, done) => {
    observe({
      requestId: request.id,
      partner: request.exchange?.token?.partner.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      failure: request.failure,
    })
    done()
  })
}
