import { demandCurrent } from '../../domain/precondition.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { etagOf } from '../../domain/representation.ts'
import type { Parts } from '../parts.ts'
import { readBody } from '../pipeline/body.ts'
import { preconditionOf } from '../pipeline/conditions.ts'
import { problemOf } from '../pipeline/errors.ts'
import { nextPage } from '../pipeline/query.ts'
import { renderResult } from '../pipeline/render.ts'
import type { ApiRequest, ApiResponse, Route } from '../pipeline/request.ts'
import { demandRole, operatorOf } from './authenticate.ts'
import { attemptIn } from './cookie.ts'
import type { CmsCall, CmsEndpoint, CmsResult, CmsStream, PublicCall } from './endpoint.ts'
import { checkedBody, readText } from './fields.ts'
import { inLines, linesType } from './in-lines.ts'
import { readCmsQuery } from './query.ts'
import { cmsRoutes } from './routes.ts'

const vary = 'Cookie, Authorization, Accept-Encoding'

/** The routes of `/cms/v1`. The caller is authenticated here, behind the routes themselves. */
export function cmsPlane(parts: Parts): Route[] {
  const { tracer } = parts
  return cmsRoutes.map((endpoint) => {
    const serve = (request: ApiRequest) => serveOperator(endpoint, request, parts)
    const { method, path, operationId } = endpoint
    const handle =
      tracer === undefined ? serve : (request: ApiRequest) => tracer.operation(operationId, () => serve(request))
    return { method, path, handle }
  })
}

async function serveOperator(endpoint: CmsEndpoint, request: ApiRequest, parts: Parts): Promise<ApiResponse> {
  const call = publicCall(endpoint, request, parts)
  const result =
    endpoint.role === 'anyone'
      ? await endpoint.handle(call)
      : await endpoint.handle(await operatorCall(call, endpoint.role, request))
  if ('stream' in result) return streamed(result)
  if (!('work' in result)) return rendered(request, result, parts)
  if (call.query().progress) return streamed({ type: linesType, stream: inLines(result, problemIn(request)) })
  return rendered(request, await result.work(() => {}), parts)
}

/** The status has left by then; the log still says that it was refused. */
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

function publicCall(endpoint: CmsEndpoint, request: ApiRequest, parts: Parts): PublicCall {
  const { db, config, watch, send, openIdProvider } = parts
  const { headers, id: requestId, url, params, from, isEncrypted } = request
  const { bodyBytes, jsonDepth } = config.limits
  const agent = headers['user-agent']?.slice(0, 255) ?? null
  return {
    db,
    config,
    watch,
    send,
    openIdProvider,
    attemptCookie: attemptIn(headers.cookie),
    visitor: { address: from.remoteAddress ?? null, agent, requestId },
    isSecure: isEncrypted,
    params,
    query: () => readCmsQuery(url, endpoint.query ?? []),
    read: async (check) => {
      const bytes = await readBody(headers, () => request.readBody(bodyBytes))
      return checkedBody(bytes, jsonDepth, check)
    },
    text: (type, bytesAtMost = bodyBytes) => readText(type, { headers, bytes: () => request.readBody(bytesAtMost) }),
  }
}

async function operatorCall(
  call: PublicCall,
  least: CmsCall['operator']['role'],
  request: ApiRequest,
): Promise<CmsCall> {
  const { isSecure: isEncrypted, visitor } = call
  const { address, requestId } = visitor
  const { method, headers } = request
  const recognise = async () => {
    const found = await operatorOf(call.db, { method, headers, address: address ?? undefined, isEncrypted })
    demandRole(found.operator, least)
    return found
  }
  const { operator, session, key } = await recognise()
  const precondition = preconditionOf(headers)
  return {
    ...call,
    operator,
    session,
    actor: { kind: 'operator', name: operator.email, token: key, requestId, address },
    stillAllowed: async () => void (await recognise()),
    expects: (view) => (current) => demandCurrent(precondition, JSON.stringify(view(current))),
  }
}

function rendered(request: ApiRequest, result: CmsResult, { db }: Parts): ApiResponse | Promise<ApiResponse> {
  const json = JSON.stringify(result.body)
  const headers = {
    ...result.headers,
    ...(result.next !== undefined && { link: nextPage(request.url, result.next) }),
    ...(result.total !== undefined && { 'x-total-count': String(result.total) }),
  }
  return renderResult(db.cache, request, { body: json, etag: etagOf(json), headers }, vary)
}
