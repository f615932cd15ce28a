import type { BenchEstate } from '../../estate/shape.ts'
import type { Place, PlainRequest, Work } from '../../work.ts'
import type { ResponseReaders } from '../shared/check.ts'
import { newName, roomNumber } from '../shared/estate.ts'
import { idOf } from './data.ts'

const records = (collection: string) => `/api/collections/${collection}/records`

/** skipTotal, as documented for lists without a count. */
const all = 'perPage=1000&skipTotal=1'

export function requestsFor(estate: BenchEstate, tokens: string[]) {
  return (work: Work, place: Place): PlainRequest | undefined => {
    const facility = idOf('f', place.facility + 1)
    const headers = { authorization: `Bearer ${tokens[place.partner]}` }
    const json = { ...headers, 'content-type': 'application/json' }
    switch (work) {
      case 'R1':
        return { method: 'GET', path: `${records('facilities')}?${all}&fields=id,id_external,name,status`, headers }
      case 'R2':
        return { method: 'GET', path: `${records('facilities')}/${facility}`, headers }
      case 'R3': {
        const filter = encodeURIComponent(`facility="${facility}"`)
        const path = `${records('areas')}?${all}&sort=id&filter=${filter}&expand=subscriptions_via_area`
        return { method: 'GET', path, headers }
      }
      case 'R4':
        return { method: 'GET', path: `${records('lists')}/${facility}`, headers }
      case 'W1': {
        const body = JSON.stringify({ name: newName(estate, place.facility, place.turn) })
        return { method: 'PATCH', path: `${records('facilities')}/${facility}`, headers: json, body }
      }
      case 'W2': {
        const area = idOf('a', roomNumber(estate, place.facility, place.area))
        const body = JSON.stringify({ area, ...estate.subscription(place.facility, place.area, place.turn) })
        return { method: 'POST', path: records('subscriptions'), headers: json, body }
      }
      case 'W3':
        return { method: 'DELETE', path: `${records('subscriptions')}/${place.subscription}`, headers }
      default:
        return undefined
    }
  }
}

type Area = { id_external: string; name: string; expand?: { subscriptions_via_area?: { code: string }[] } }

export const readers: ResponseReaders = {
  facilities: (body) => (body as { items: ReturnType<ResponseReaders['facilities']> }).items,
  facility: (body) => body as Record<string, unknown>,
  areas: (body) =>
    (body as { items: Area[] }).items.map(({ id_external, name, expand }) => ({
      id_external,
      name,
      codes: (expand?.subscriptions_via_area ?? []).map(({ code }) => code),
    })),
  entries: (body) => (body as { entries: ReturnType<ResponseReaders['entries']> }).entries,
}
