import type { Need } from '../../domain/access/grant.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { areaFor, facilityFor } from '../../operations/access/lookup.ts'
import { FollowerLimiter } from '../../operations/events/follower-limiter.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { ServerDependencies } from '../dependencies.ts'
import { asRefusal } from '../pipeline/errors.ts'
import { problemResponse } from '../pipeline/problem.ts'
import { renderResult, varies } from '../pipeline/render.ts'
import { ApiRequest, type ApiResponse, noBody } from '../pipeline/request.ts'
import { Router } from '../pipeline/router.ts'
import { BodyParser } from '../threads/body-parser.ts'
import { requirePartnerPermission } from './api.ts'
import { createContext } from './context.ts'
import type { Endpoint, PartnerContext } from './endpoint.ts'
import { partnerEndpoints } from './routes.ts'

/** Simulates a request for the console by the code of `/v1`: routing, permission checks and, for reads, the handler. */
export async function checkAccess(
  dependencies: Dependencies,
  partner: CachedPartner,
  method: string,
  url: string,
): Promise<AccessCheck> {
  const check: AccessCheck = {
    route: null,
    needs: null,
    facility: null,
    facilityInPath: null,
    refusal: undefined,
    response: null,
  }
  const request = new SimulatedRequest({ method, url, headers: {}, peer: { remoteAddress: undefined } })
  try {
    const { route, params } = router.route(method, url)
    check.route = `${route.method} ${route.path}`
    request.params = params
    check.facilityInPath = params.facilityExternalId ?? null
    const endpoint = endpoints.get(check.route) as Endpoint
    check.needs = endpoint.needs
    requirePartnerPermission(partner, endpoint)
    check.facility = await facilityOf(dependencies, partner, endpoint, params as PartnerContext['params'])
    if (endpoint.method === 'GET') check.response = await responseTo(dependencies, partner, request, endpoint)
  } catch (error) {
    check.refusal = asRefusal(error)
    check.response = problemResponse(check.refusal, request.id)
  }
  return check
}

export interface AccessCheck {
  route: string | null
  needs: Need | null
  /** The facility that the request is about; null if there is none, or none that the partner can see. */
  facility: string | null
  facilityInPath: string | null
  refusal: Refusal | undefined
  /** The response; null for a write that is allowed, which is checked but not carried out. */
  response: ApiResponse | null
}

type Dependencies = Pick<ServerDependencies, 'db' | 'config' | 'send'>

const maxPathLength = 4096
const endpoints = new Map(partnerEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]))
const router = new Router(
  partnerEndpoints.map(({ method, path }) => ({
    method,
    path,
    handle: () => ({ status: 200, headers: {}, body: noBody }),
  })),
  maxPathLength,
)

/** A request without a connection. Its signal is already aborted, so that a long poll returns at once. */
class SimulatedRequest extends ApiRequest {
  async readBody(): Promise<Buffer> {
    return noBody
  }

  signal(): AbortSignal {
    return AbortSignal.abort()
  }
}

/** Throws what the handler would throw if the facility does not exist or the grants forbid the request. */
async function facilityOf(
  { db }: Dependencies,
  partner: CachedPartner,
  { path, needs }: Endpoint,
  { facilityExternalId, areaExternalId }: PartnerContext['params'],
): Promise<string | null> {
  if (path.includes('{facilityExternalId}')) {
    return (await facilityFor(db.cache, partner, needs, facilityExternalId)).facility.idExternal
  }
  if (!path.includes('{areaExternalId}')) return null
  return (await areaFor(db.cache, partner, needs, areaExternalId)).facility.idExternal
}

async function responseTo(
  dependencies: Dependencies,
  partner: CachedPartner,
  request: ApiRequest,
  endpoint: Endpoint,
): Promise<ApiResponse> {
  const token = { id: '', name: 'access check', expiresAt: null, partner } as CachedToken
  const context = createContext(request, { endpoint, token }, dependencies, {
    bodyParser: new BodyParser(),
    followers: new FollowerLimiter(),
    reauthenticate: async () => token,
  })
  return renderResult(dependencies.db.cache, request, await endpoint.handle(context), varies)
}
