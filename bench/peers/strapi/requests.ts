import type { BenchEstate } from '../../estate/shape.ts'
import type { Place, PlainRequest, Work } from '../../work.ts'
import type { ResponseReaders } from '../shared/check.ts'
import { newName, roomNumber, tokenOf } from '../shared/estate.ts'
import { documentOf } from './data.ts'

const all = 'pagination[pageSize]=1000&pagination[withCount]=false'

export function requestsFor(estate: BenchEstate) {
  return (work: Work, place: Place): PlainRequest | undefined => {
    const facility = documentOf('f', place.facility + 1)
    const headers = { authorization: `Bearer ${tokenOf(place.partner)}` }
    const json = { ...headers, 'content-type': 'application/json' }
    switch (work) {
      case 'R1': {
        const fields = 'fields[0]=id_external&fields[1]=name&fields[2]=status_word'
        return { method: 'GET', path: `/api/facilities?${all}&${fields}`, headers }
      }
      case 'R2':
        return { method: 'GET', path: `/api/facilities/${facility}`, headers }
      case 'R3': {
        const filter = `filters[facility][documentId][$eq]=${facility}`
        return { method: 'GET', path: `/api/areas?${all}&sort=id&${filter}&populate=subscriptions`, headers }
      }
      case 'R4':
        return { method: 'GET', path: `/api/lists/${facility}?fields[0]=entries`, headers }
      case 'W1': {
        const body = JSON.stringify({ data: { name: newName(estate, place.facility, place.turn) } })
        return { method: 'PUT', path: `/api/facilities/${facility}`, headers: json, body }
      }
      case 'W2': {
        const { status, ...rest } = estate.subscription(place.facility, place.area, place.turn)
        const area = documentOf('a', roomNumber(estate, place.facility, place.area))
        const body = JSON.stringify({ data: { ...rest, status_word: status, area } })
        return { method: 'POST', path: '/api/subscriptions', headers: json, body }
      }
      case 'W3':
        return { method: 'DELETE', path: `/api/subscriptions/${place.subscription}`, headers }
      default:
        return undefined
    }
  }
}

export function subscriptionIn(body: string): string {
  return (JSON.parse(body) as { data: { documentId: string } }).data.documentId
}

/** `status` is reserved by Strapi. */
type Facility = { id_external: string; name: string; status_word: string }
type Area = { id_external: string; name: string; subscriptions: { code: string }[] }

const withStatus = <T extends Facility>({ status_word, ...rest }: T) => ({ ...rest, status: status_word })

export const readers: ResponseReaders = {
  facilities: (body) => (body as { data: Facility[] }).data.map(withStatus),
  facility: (body) => withStatus((body as { data: Facility }).data),
  areas: (body) =>
    (body as { data: Area[] }).data.map(({ id_external, name, subscriptions }) => ({
      id_external,
      name,
      codes: subscriptions.map(({ code }) => code),
    })),
  entries: (body) => (body as { data: { entries: ReturnType<ResponseReaders['entries']> } }).data.entries,
}
