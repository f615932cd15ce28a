import { estate as standard } from '../harness/estate.ts'
import type { View } from './nodes.ts'

/** The usual estate of the tests, and two facilities between which the full id of an area can move. */
export const estate = {
  facilities: [
    ...standard.facilities,
    { id_external: 'a', name: 'A', areas: [{ id: 'b-c', name: 'Moves' }] },
    { id_external: 'a-b', name: 'AB', areas: [] },
  ],
  partners: [
    ...standard.partners,
    { id: 'mover', name: 'Sees one of two', grants: [{ facilities: ['a'], read: ['areas'], write: [], rooms: [] }] },
  ],
}

const paths = {
  facilities: 'GET /v1/facilities/',
  lyon: 'GET /v1/facilities/lyon-01/',
  lyonAreas: 'GET /v1/facilities/lyon-01/areas',
  lyonList: 'GET /v1/facilities/lyon-01/areas_autocomplete_list',
  chu: 'GET /v1/facilities/chu-nord/',
  chuAreas: 'GET /v1/facilities/chu-nord/areas',
  niceAreas: 'GET /v1/facilities/nice-02/areas',
  room: 'GET /v1/areas/chu-nord-214/',
  services: 'GET /v1/areas/chu-nord-214/data_services',
  // An empty addition, which shows only whether the partner may add services.
  addNothing: 'POST /v1/areas/chu-nord-214/data_services',
  moving: 'GET /v1/areas/a-b-c/',
  me: 'GET /v1/me',
}
type Path = keyof typeof paths

const seen: Record<string, Path[]> = {
  everything: ['facilities', 'lyon', 'lyonAreas', 'lyonList', 'chu', 'chuAreas', 'room', 'services', 'me'],
  hotelier: ['facilities', 'lyon', 'lyonAreas', 'niceAreas', 'me'],
  ward: ['facilities', 'chuAreas', 'room', 'addNothing'],
  bare: ['facilities', 'lyon', 'lyonAreas'],
  stranger: ['facilities', 'lyon'],
  mover: ['facilities', 'moving'],
}

const viewOf = (as: string, path: Path): View => {
  return { as, request: paths[path], ...(path === 'addNothing' && { body: { value: '[]' } }) }
}

export const views = Object.entries(seen).flatMap(([as, all]) => all.map((path) => viewOf(as, path)))

/** The partners whose reads change, separated by spaces: `'ward room'`. */
export type Shown = `${string} ${Path}`

export function viewNamed(name: Shown): View {
  const [as, path] = name.split(' ') as [string, Path]
  return viewOf(as, path)
}
