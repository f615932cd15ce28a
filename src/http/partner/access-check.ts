import type { Need } from '../../domain/access/grant.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { areaFor, facilityFor } from '../../operations/access/lookup.ts'
import { Followers } from '../../operations/events/followers.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { ServerDependencies } from '../dependencies.ts'
import { asRefusal } from '../pipeline/errors.ts'
import { problemResponse } from '../pipeline/problem.ts'
import { renderResult, varies } from '../pipeline/render.ts'
import { ApiRequest, type ApiResponse, noBody } from '../pipeline/request.ts'
import { Router } from '../pipeline/router.ts'
import { BodyParser } from '../threads/body-parser.ts'
import { demandAllowed } from './api.ts'
import { createContext } from './context.ts'
import type { Endpoint, PartnerContext } from './endpoint.ts'
import { partnerRoutes } from './routes.ts'

/** What a partner would be answered, found out by the code that answers partners. */
export interface AccessCheck {
  route: string | null
  needs: Need | null
  /** The facility it is about, where there is one that the partner can see. */
  facility: string | null
  /** The facility that the path names. */
  asked: string | null
  refusal: Refusal | undefined
  /** Null for a change that would be allowed: it is not carried out. */
  response: ApiResponse | null
}

type Place = Pick<ServerDependencies, 'db' | 'config' | 'send'>

const maxPathLength = 4096
const endpoints = new Map(partnerRoutes.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]))
const router = new Router(
  partnerRoutes.map(({ method, path }) => ({
    method,
    path,
    handle: () => ({ status: 200, headers: {}, body: noBody }),
  })),
  maxPathLength,
)

export async function checkAccess(
  place: Place,
  partner: CachedPartner,
  method: string,
  url: string,
): Promise<AccessCheck> {
  const seen: AccessCheck = {
    route: null,
    needs: null,
    facility: null,
    asked: null,
    refusal: undefined,
    response: null,
  }
  const request = new ImaginedRequest({ method, url, headers: {}, peer: { remoteAddress: undefined } })
  try {
    const { route, params } = router.route(method, url)
    seen.route = `${route.method} ${route.path}`
    request.params = params
    seen.asked = params.facilityExternalId ?? null
    const endpoint = endpoints.get(seen.route) as Endpoint
    seen.needs = endpoint.needs
    demandAllowed(partner, endpoint)
    seen.facility = await facilityOf(place, partner, endpoint, params as PartnerContext['params'])
    if (endpoint.method === 'GET') seen.response = await responseTo(place, partner, request, endpoint)
  } catch (error) {
    seen.refusal = asRefusal(error)
    seen.response = problemResponse(seen.refusal, request.id)
  }
  return seen
}

/** A request without a caller that waits: what is to be seen is what there is now. */
class ImaginedRequest extends ApiRequest {
  async readBody(): Promise<Buffer> {
    return noBody
  }

  signal(): AbortSignal {
    return AbortSignal.abort()
  }
}

/** Asks for the same things in the same order as the route itself does before it reads a body. */
async function facilityOf(
  { db }: Place,
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
  place: Place,
  partner: CachedPartner,
  request: ApiRequest,
  endpoint: Endpoint,
): Promise<ApiResponse> {
  const token = { id: '', name: 'access check', expiresAt: null, partner } as CachedToken
  const context = createContext(request, { endpoint, token }, place, {
    bodyParser: new BodyParser(),
    followers: new Followers(),
    reauthenticate: async () => token,
  })
  return renderResult(place.db.cache, request, await endpoint.handle(context), varies)
}
