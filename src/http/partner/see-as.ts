import type { Need } from '../../domain/grant.ts'
import { Refusal } from '../../domain/refusal.ts'
import { Followers } from '../../operations/followers.ts'
import { areaFor, facilityFor } from '../../operations/lookup.ts'
import type { KnownPartner, KnownToken } from '../../storage/memory/partners.ts'
import { type Rendered, renderAnswer, varies } from '../answer.ts'
import { Apart } from '../apart.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { asRefusal } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { renderProblem } from '../refuse.ts'
import { type PlainRoute, plainRoutes } from './plain-routes.ts'
import { partnerRoutes } from './routes.ts'
import { callOf, demandAllowed } from './serve.ts'

/** What a partner would be answered, found out by the code that answers partners. */
export interface Seen {
  route: string | null
  needs: Need | null
  /** The facility it is about, where there is one that the partner can see. */
  facility: string | null
  refusal: Refusal | undefined
  /** Nothing for a change that would be allowed: it is not carried out. */
  answer: Rendered | null
}

type Place = Pick<Parts, 'db' | 'config' | 'send'>

const routeOf = plainRoutes()

export async function seeAs(place: Place, partner: KnownPartner, method: string, url: string): Promise<Seen> {
  const seen: Seen = { route: null, needs: null, facility: null, refusal: undefined, answer: null }
  try {
    const { endpoint, params } = route(method, url)
    Object.assign(seen, { route: `${endpoint.method} ${endpoint.path}`, needs: endpoint.needs })
    demandAllowed(partner, endpoint)
    seen.facility = await facilityOf(place, partner, endpoint, params)
    if (endpoint.method === 'GET') seen.answer = await answerTo(place, partner, { endpoint, params }, method, url)
  } catch (error) {
    seen.refusal = asRefusal(error)
    seen.answer = renderProblem(seen.refusal, requestId)
  }
  return seen
}

/** The answer is nobody's: its request has no id of its own. */
const requestId = 'access-check'

function route(method: string, url: string): PlainRoute {
  const asked = method === 'HEAD' ? 'GET' : method
  const found = routeOf(asked, url)
  if (found !== undefined) return { ...found, params: decoded(found.params) }
  const others = partnerRoutes.map((endpoint) => endpoint.method).filter((other) => routeOf(other, url) !== undefined)
  const allow = [...new Set(others)].flatMap((other) => (other === 'GET' ? ['GET', 'HEAD'] : [other]))
  if (allow.length === 0) throw new Refusal('route_not_found', 'Nothing is served at this path.')
  throw new Refusal('method_not_allowed', `This path takes ${allow.join(', ')}.`, { allow })
}

function decoded(params: Call['params']): Call['params'] {
  try {
    const pairs = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)])
    return Object.fromEntries(pairs) as Call['params']
  } catch {
    throw new Refusal('request_malformed', 'Malformed request.')
  }
}

/** Asks for the same things in the same order as the route itself does before it reads a body. */
async function facilityOf(
  { db }: Place,
  partner: KnownPartner,
  { path, needs }: Endpoint,
  { facilityExternalId, areaExternalId }: Call['params'],
): Promise<string | null> {
  if (path.includes('{facilityExternalId}')) {
    return (await facilityFor(db.memory, partner, needs, facilityExternalId)).facility.idExternal
  }
  if (!path.includes('{areaExternalId}')) return null
  return (await areaFor(db.memory, partner, needs, areaExternalId)).facility.idExternal
}

async function answerTo(
  place: Place,
  partner: KnownPartner,
  route: Pick<PlainRoute, 'endpoint' | 'params'>,
  method: string,
  url: string,
): Promise<Rendered> {
  const token = { id: '', name: 'access check', expiresAt: null, partner } as KnownToken
  // What is to be seen is what there is now.
  const gone = () => AbortSignal.abort()
  const bytes = async () => Buffer.alloc(0)
  const about = { ...route, method, url, headers: {}, requestId, address: undefined, bytes, gone, waitedMs: 0 }
  const call = callOf({ ...about, token, bucket: undefined }, token, place, {
    apart: new Apart(),
    followers: new Followers(),
    recognise: async () => token,
  })
  return renderAnswer(place.db.memory, about, await route.endpoint.handle(call), varies)
}
