import type { BenchEstate } from '../../estate/shape.ts'
import type { Place, PlainRequest, Work } from '../../work.ts'
import type { ResponseReaders } from '../shared/check.ts'
import { newName, roomNumber, tokenOf } from '../shared/estate.ts'

const services = 'subscriptions.id,subscriptions.code,subscriptions.label,subscriptions.status,subscriptions.start'
const areaFields = `id_external,name,opened_at,cycle,data_general,date_created,date_updated,${services},subscriptions.end`

export function requestsFor(estate: BenchEstate) {
  return (work: Work, place: Place): PlainRequest | undefined => {
    const facility = place.facility + 1
    const headers = { authorization: `Bearer ${tokenOf(place.partner)}` }
    const json = { ...headers, 'content-type': 'application/json' }
    switch (work) {
      case 'R1':
        return { method: 'GET', path: '/items/facilities?limit=-1&fields=id,id_external,name,status', headers }
      case 'R2':
        return { method: 'GET', path: `/items/facilities/${facility}`, headers }
      case 'R3': {
        const path = `/items/areas?limit=-1&sort=id&filter[facility][_eq]=${facility}&fields=${areaFields}`
        return { method: 'GET', path, headers }
      }
      case 'R4':
        return { method: 'GET', path: `/items/lists/${facility}?fields=entries`, headers }
      case 'W1': {
        const body = JSON.stringify({ name: newName(estate, place.facility, place.turn) })
        return { method: 'PATCH', path: `/items/facilities/${facility}`, headers: json, body }
      }
      case 'W2': {
        const create = [estate.subscription(place.facility, place.area, place.turn)]
        const body = JSON.stringify({ subscriptions: { create, update: [], delete: [] } })
        const path = `/items/areas/${roomNumber(estate, place.facility, place.area)}?fields=id_external,${services}`
        return { method: 'PATCH', path, headers: json, body }
      }
      case 'W3':
        return { method: 'DELETE', path: `/items/subscriptions/${place.subscription}`, headers }
      default:
        return undefined
    }
  }
}

type Service = { id: number; code: string }
type Area = { id_external: string; name: string; subscriptions: Service[] }

/** Selects the newest of the room: ids only increase. */
export function subscriptionIn(body: string): string {
  const { subscriptions } = (JSON.parse(body) as { data: Area }).data
  return String(Math.max(...subscriptions.map(({ id }) => id)))
}

export const readers: ResponseReaders = {
  facilities: (body) => (body as { data: ReturnType<ResponseReaders['facilities']> }).data,
  facility: (body) => (body as { data: Record<string, unknown> }).data,
  areas: (body) =>
    (body as { data: Area[] }).data.map(({ id_external, name, subscriptions }) => ({
      id_external,
      name,
      codes: subscriptions.map(({ code }) => code),
    })),
  entries: (body) => (body as { data: { entries: ReturnType<ResponseReaders['entries']> } }).data.entries,
}
