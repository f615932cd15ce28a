import { requireCurrent } from '../../domain/precondition.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { etagOf } from '../../domain/representation.ts'
import type { ServerDependencies } from '../dependencies.ts'
import { readBody } from '../pipeline/body.ts'
import { preconditionOf, seenCycleOf } from '../pipeline/conditions.ts'
import { asRefusal, problemOf } from '../pipeline/errors.ts'
import { nextPageLink, parseQuery } from '../pipeline/query.ts'
import { renderResult } from '../pipeline/render.ts'
import type { ApiRequest, ApiResponse, Route } from '../pipeline/request.ts'
import { operatorOf, requireRole } from './authenticate.ts'
import { attemptIn } from './cookie.ts'
import type { CmsContext, CmsEndpoint, CmsResult, CmsStream, PublicContext } from './endpoint.ts'
import { receiveFile } from './estate/receive-file.ts'
import { checkedBody, readText } from './fields.ts'
import { linesType, progressLines } from './progress-lines.ts'
import { parameters } from './query.ts'
import { cmsRoutes } from './routes.ts'

const vary = 'Cookie, Authorization, Accept-Encoding'

/** Each handler authenticates by itself: a check that compared paths could be avoided by another spelling. */
export function cmsApi(dependencies: ServerDependencies): Route[] {
  const { tracer } = dependencies
  return cmsRoutes.map((endpoint) => {
    const serve = (request: ApiRequest) => serveOperator(endpoint, request, dependencies)
    const { method, path, operationId } = endpoint
    const handle =
      tracer === undefined ? serve : (request: ApiRequest) => tracer.operation(operationId, () => serve(request))
    return { method, path, handle }
  })
}

async function serveOperator(
  endpoint: CmsEndpoint,
  request: ApiRequest,
  dependencies: ServerDependencies,
): Promise<ApiResponse> {
  const context = publicContext(endpoint, request, dependencies)
  const result = await resultOf(endpoint, context, request)
  if ('stream' in result) return streamed(result)
  if (!('run' in result)) return rendered(request, result, dependencies)
  if (context.query().progress) return streamed({ type: linesType, stream: progressLines(result, problemIn(request)) })
  return rendered(request, await result.run(() => {}), dependencies)
}

/** Refuses unknown parameters also for a handler that reads none: an ignored `?dry_run=true` would be dangerous. */
async function resultOf(endpoint: CmsEndpoint, context: PublicContext, request: ApiRequest) {
  if (endpoint.role === 'anyone') {
    context.query()
    return endpoint.handle(context)
  }
  const operator = await operatorContext(context, endpoint.role, request)
  operator.query()
  return endpoint.handle(operator)
}

/**
 * Returns a function for a failure after the response began with status 200: it records the refusal for the log, and
 * returns the problem to send as the last line of the response.
 */
function problemIn(request: ApiRequest) {
  return (refusal: Refusal): object => {
    request.refusal = refusal
    return problemOf(refusal, request.id).body
  }
}

function streamed({ type, stream, headers }: CmsStream): ApiResponse {
  const all = { ...headers, vary, 'cache-control': 'no-store', 'content-type': type }
  return { status: 200, headers: all, body: stream }
}

function publicContext(endpoint: CmsEndpoint, request: ApiRequest, dependencies: ServerDependencies): PublicContext {
  const { db, config, monitoring, send, openIdProvider } = dependencies
  const { headers, id: requestId, url, params, from, isEncrypted } = request
  const { bodyBytes, jsonDepth } = config.limits
  const agent = headers['user-agent']?.slice(0, 255) ?? null
  return {
    db,
    config,
    monitoring,
    send,
    openIdProvider,
    attemptCookie: attemptIn(headers.cookie),
    visitor: { address: from.remoteAddress ?? null, agent, requestId },
    isSecure: isEncrypted,
    params: params as PublicContext['params'],
    query: () => parseQuery(parameters, url, endpoint.query ?? []),
    read: async (check) => {
      const bytes = await readBody(headers, () => request.readBody(bodyBytes))
      return checkedBody(bytes, jsonDepth, check)
    },
    receive: (type, maxBytes) => receiveFile(type, { headers, chunks: () => request.bodyChunks() }, maxBytes),
    text: (type, maxBytes = bodyBytes) => readText(type, { headers, bytes: () => request.readBody(maxBytes) }),
  }
}

async function operatorContext(
  context: PublicContext,
  least: CmsContext['operator']['role'],
  request: ApiRequest,
): Promise<CmsContext> {
  const { isSecure: isEncrypted, visitor } = context
  const { address, requestId } = visitor
  const { method, headers } = request
  const reauthenticate = async () => {
    const found = await operatorOf(context.db, { method, headers, address: address ?? undefined, isEncrypted })
    requireRole(found.operator, least)
    return found
  }
  const { operator, session, key } = await reauthenticate()
  const precondition = preconditionOf(headers)
  return {
    ...context,
    operator,
    session,
    actor: { kind: 'operator', name: operator.email, token: key, requestId, address },
    signal: () => request.signal(),
    onFailure: (error) => {
      request.refusal = asRefusal(error)
    },
    requireStillAllowed: async () => void (await reauthenticate()),
    cycle: () => seenCycleOf(headers),
    expects: (view) => (current) => requireCurrent(precondition, JSON.stringify(view(current))),
  }
}

function rendered(
  request: ApiRequest,
  result: CmsResult,
  { db }: ServerDependencies,
): ApiResponse | Promise<ApiResponse> {
  const json = JSON.stringify(result.body)
  const headers = {
    ...result.headers,
    ...(result.next !== undefined && { link: nextPageLink(request.url, result.next) }),
    ...(result.total !== undefined && { 'x-total-count': String(result.total) }),
  }
  return renderResult(db.cache, request, { body: json, etag: etagOf(json), headers }, vary)
}
