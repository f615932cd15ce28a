import { randomUUID } from 'node:crypto'
import type { BenchEstate } from './estate/shape.ts'
import type { Place, PlainRequest, Way, Work } from './work.ts'

/** Builds the requests of a work; Atrium's here, each peer has its own. */
export interface Asking {
  requestFor(work: Work, place: Place): PlainRequest | undefined
  /** Returns the id of the subscription that a W2 has added, from its response. */
  subscriptionIn(body: string): string
}

export function askAtrium(estate: BenchEstate, tokens: string[]): Asking {
  return {
    requestFor: (work, place) => requestFor(estate, tokens, work, place),
    subscriptionIn: (body) => JSON.parse(body).services.data_services.at(-1).id,
  }
}

/** Adds a header that only Node's parser accepts, or nothing. */
export function askingIn(way: Way, { requestFor, subscriptionIn }: Asking): Asking {
  if (way === 'split') return { requestFor, subscriptionIn }
  const general = (work: Work, place: Place) => {
    const request = requestFor(work, place)
    return request && { ...request, headers: { ...request.headers, te: 'trailers' } }
  }
  return { requestFor: general, subscriptionIn }
}

function requestFor(estate: BenchEstate, tokens: string[], work: Work, place: Place): PlainRequest | undefined {
  const headers = { authorization: `Bearer ${tokens[place.partner]}` }
  const facility = `/v1/facilities/${estate.facility(place.facility).idExternal}`
  const room = `/v1/areas/${estate.area(place.facility, place.area).fullId}`
  const get = (path: string, more = {}): PlainRequest => ({ method: 'GET', path, headers: { ...headers, ...more } })
  const send = (method: string, path: string, value: unknown, more = {}): PlainRequest => {
    return {
      method,
      path,
      headers: { ...headers, 'content-type': 'application/json', ...more },
      body: JSON.stringify({ value }),
    }
  }
  switch (work) {
    case 'R1':
      return get('/v1/facilities/')
    case 'R2':
      return get(`${facility}/`)
    case 'R3':
    case 'COLD':
      return get(`${facility}/areas`)
    case 'R4':
      return get(`${facility}/areas_autocomplete_list`)
    case 'R5':
      return get(`${facility}/areas`, { 'if-none-match': place.etag ?? '"none"' })
    case 'W1':
      return send('PATCH', `${facility}/name`, `${estate.facility(place.facility).name} · ${place.turn}`)
    case 'W2':
      return send('POST', `${room}/data_services`, subscriptionValue(estate, place))
    case 'W5':
      return send('POST', `${room}/data_services`, subscriptionValue(estate, place), {
        'idempotency-key': randomUUID(),
      })
    case 'W3':
      return { method: 'DELETE', path: `${room}/data_services/${place.subscription}`, headers }
    case 'W4':
      return { method: place.turn % 2 === 0 ? 'POST' : 'DELETE', path: `${room}/`, headers }
    default:
      return undefined
  }
}

/** The legacy body: a string that contains a JSON array. */
function subscriptionValue(estate: BenchEstate, { facility, area, turn }: Place): string {
  return JSON.stringify([estate.subscription(facility, area, turn)])
}
