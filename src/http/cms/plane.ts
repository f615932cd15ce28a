import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { demandCurrent } from '../../domain/precondition.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { etagOf } from '../../domain/representation.ts'
import { type Rendered, renderAnswer } from '../answer.ts'
import { collectBody, readBody } from '../body.ts'
import { preconditionOf } from '../conditions.ts'
import { problemOf } from '../errors.ts'
import { routerPath } from '../methods.ts'
import type { Parts } from '../parts.ts'
import { nextPage } from '../query.ts'
import { sendParts } from '../streamed.ts'
import { demandRole, operatorOf } from './authenticate.ts'
import { attemptIn } from './cookie.ts'
import type { CmsAnswer, CmsCall, CmsEndpoint, CmsStream, PublicCall } from './endpoint.ts'
import { checkedBody, readText } from './fields.ts'
import { inLines, linesType } from './in-lines.ts'
import { readCmsQuery } from './query.ts'
import { cmsRoutes } from './routes.ts'

const vary = 'Cookie, Authorization, Accept-Encoding'

/** Registers `/cms/v1`. Who is asking is found out here, behind the routes themselves. */
export function registerCmsPlane(app: FastifyInstance, parts: Parts): void {
  for (const endpoint of cmsRoutes) {
    app.route({
      method: endpoint.method,
      url: routerPath(endpoint.path),
      handler: async (request, reply) => {
        const work = () => answered(endpoint, request, parts)
        const answer = await (parts.tracer?.operation(endpoint.operationId, work) ?? work())
        if ('stream' in answer) return streamed(reply, answer)
        const { status, headers, body } = answer
        return reply
          .headers(headers)
          .code(status)
          .send(status === 304 ? undefined : body)
      },
    })
  }
}

async function answered(endpoint: CmsEndpoint, request: FastifyRequest, parts: Parts): Promise<Rendered | CmsStream> {
  const call = publicCall(endpoint, request, parts)
  const answer =
    endpoint.role === 'anyone'
      ? await endpoint.handle(call)
      : await endpoint.handle(await operatorCall(call, endpoint.role, request))
  if ('stream' in answer) return answer
  if (!('work' in answer)) return rendered(request, answer, parts)
  if (call.query().progress) return { type: linesType, stream: inLines(answer, problemIn(request)) }
  return rendered(request, await answer.work(() => {}), parts)
}

/** The status has left by then; the log still says that it was refused. */
function problemIn(request: FastifyRequest) {
  return (refusal: Refusal): object => {
    request.refusal = refusal
    return problemOf(refusal, request.id).body
  }
}

function streamed(reply: FastifyReply, { type, stream, headers }: CmsStream): FastifyReply {
  return sendParts(reply.headers({ ...headers, vary, 'cache-control': 'no-store', 'content-type': type }), stream)
}

function publicCall(endpoint: CmsEndpoint, request: FastifyRequest, parts: Parts): PublicCall {
  const { db, config, watch, send, proxies, openIdProvider } = parts
  const { headers, id: requestId, raw, url, params } = request
  const { bodyBytes, jsonDepth } = config.limits
  const agent = headers['user-agent']?.slice(0, 255) ?? null
  return {
    db,
    config,
    watch,
    send,
    openIdProvider,
    attemptCookie: attemptIn(headers.cookie),
    visitor: { address: proxies.from(raw.socket, headers).remoteAddress ?? null, agent, requestId },
    isSecure: proxies.isEncrypted(raw.socket, headers),
    params: params as Record<string, string>,
    query: () => readCmsQuery(url, endpoint.query ?? []),
    read: async (check) => {
      const bytes = await readBody({ headers, bytes: () => collectBody(raw, bodyBytes) })
      return checkedBody(bytes, jsonDepth, check)
    },
    text: (type, bytesAtMost = bodyBytes) => readText(type, { headers, bytes: () => collectBody(raw, bytesAtMost) }),
  }
}

async function operatorCall(
  call: PublicCall,
  least: CmsCall['operator']['role'],
  request: FastifyRequest,
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

function rendered(request: FastifyRequest, answer: CmsAnswer, { db }: Parts): Rendered | Promise<Rendered> {
  const json = JSON.stringify(answer.body)
  const headers = {
    ...answer.headers,
    ...(answer.next !== undefined && { link: nextPage(request.url, answer.next) }),
    ...(answer.total !== undefined && { 'x-total-count': String(answer.total) }),
  }
  return renderAnswer(db.memory, request, { body: json, etag: etagOf(json), headers }, vary)
}
