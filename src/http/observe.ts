import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Refusal } from '../domain/refusal.ts'
import type { Answered, RequestBook } from '../operations/request-book.ts'
import { publicCode } from './errors.ts'
import type { RequestEntry, RequestLog } from './log.ts'
import type { Metrics } from './metrics.ts'
import { thisMoment } from './moment.ts'
import type { RequestFigure, RequestFigures } from './request-figures.ts'
import type { Trace, Tracer } from './telemetry/tracer.ts'

/** Whoever counts the same kind of request over and over finds its figure once. */
export interface Observe {
  (entry: RequestEntry, figure?: RequestFigure): void
  figureOf: RequestFigures['of']
}

/** Every request is logged and counted here, whichever way it went. */
export function observer(
  { requests }: Metrics,
  log: RequestLog,
  book: Pick<RequestBook, 'note'>,
  tracer?: Tracer,
): Observe {
  const figureOf = requests.of.bind(requests)
  const observe = (entry: RequestEntry, figure?: RequestFigure) => {
    const counted = figure ?? figureOf(entry.method, entry.route, entry.status)
    counted.observe(entry.durationMs / 1000)
    log(entry, counted.text)
    if (entry.isPartners) book.note(entry, thisMoment().wallMs)
    tracer?.request(entry, entry.trace ?? tracer.begin(undefined, performance.now() - entry.durationMs))
  }
  return Object.assign(observe, { figureOf })
}

/** What a refusal says about a body can hold what stood in it: of such only the code is told. */
export function reasonOf(refusal: Refusal | undefined): Pick<Answered, 'code' | 'detail'> {
  if (refusal === undefined) return {}
  const { code, message, facts } = refusal
  return { code: publicCode(code), detail: facts.errors === undefined ? message : undefined }
}

/** An outage of the database is logged as one, and not with each request that meets it. */
export function failureOf(refusal: Refusal | undefined): unknown {
  return refusal?.code === 'database_unavailable' ? undefined : refusal?.cause
}

declare module 'fastify' {
  interface FastifyRequest {
    trace: Trace | undefined
  }
}

/** From here on, whatever is done for a request is done within its trace. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers
    request.trace = tracer.begin(typeof traceparent === 'string' ? traceparent : undefined)
    tracer.within(request.trace, done)
  })
}

const underPartners = /^\/v1(?:[/?]|$)/

export function observeRequests(app: FastifyInstance, observe: Observe): void {
  app.addHook('onResponse', (request, reply, done) => {
    observe({
      ...placeOf(request),
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      durationMs: reply.elapsedTime - (request.exchange?.waitedMs ?? 0),
      isPartners: request.exchange !== undefined || underPartners.test(request.url),
      ...reasonOf(request.refusal),
      failure: failureOf(request.refusal),
      trace: request.trace,
    })
    done()
  })
}

function placeOf({
  exchange,
  raw,
}: FastifyRequest): Pick<Answered, 'partner' | 'token' | 'facility' | 'area' | 'from'> {
  const { token, params, address } = exchange ?? {}
  return {
    partner: token?.partner.id,
    token: token?.id,
    facility: params?.facilityExternalId,
    area: params?.areaExternalId,
    from: exchange === undefined ? raw.socket : { remoteAddress: address },
  }
}
