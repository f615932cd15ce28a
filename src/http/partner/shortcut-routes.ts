import type { ReadyKind } from '../../operations/ready.ts'
import { readCaching, varyFor } from '../answer.ts'
import type { Endpoint } from '../endpoint.ts'
import { routerPath } from '../methods.ts'
import type { Parts } from '../parts.ts'
import { headerLines } from '../ready-made.ts'
import type { RequestFigure } from '../request-figures.ts'
import { listAreas } from './areas.ts'
import { getAutocompleteList } from './autocomplete-list.ts'
import { getFacility, listFacilities } from './facilities.ts'
import { deprecationHeaders } from './plane.ts'

/** A read whose answer may be at hand. */
export interface ShortRoute {
  kind: ReadyKind
  /** As it is logged and counted. */
  pattern: string
  /** Headers of every answer. */
  lines: string
  figures: Record<number, RequestFigure>
}

/** What follows `/v1/facilities/{id}/` in the path. */
const readsOfFacility: Record<string, [ReadyKind, Endpoint]> = {
  '': ['facility', getFacility],
  areas: ['areas', listAreas],
  areas_autocomplete_list: ['list', getAutocompleteList],
}

const shortcutRoot = '/v1/facilities'
const idAt = shortcutRoot.length + 1

export interface Found {
  route: ShortRoute
  facility: string
}

export type RouteOf = (url: string) => Found | undefined

/** Which read a path asks for. An id that is written in any unusual way is simply not found at hand. */
export function shortRoutes(parts: Parts): RouteOf {
  const list = { route: shortRoute(parts, 'facilities', listFacilities), facility: '' }
  const byRest = new Map<string, ShortRoute>()
  for (const [rest, [kind, endpoint]] of Object.entries(readsOfFacility)) {
    const route = shortRoute(parts, kind, endpoint)
    byRest.set(rest, route)
    if (rest !== '') byRest.set(`${rest}/`, route)
  }
  return (url) => {
    if (url === '/v1/facilities/' || url === shortcutRoot) return list
    if (!url.startsWith('/v1/facilities/')) return undefined
    const slash = url.indexOf('/', idAt)
    const end = slash === -1 ? url.length : slash
    const route = byRest.get(url.slice(end + 1))
    return route && { route, facility: url.slice(idAt, end) }
  }
}

function shortRoute({ config, observe }: Parts, kind: ReadyKind, endpoint: Endpoint): ShortRoute {
  const pattern = routerPath(endpoint.path)
  const lines = headerLines({
    vary: varyFor(config.corsOrigins),
    'cache-control': readCaching,
    ...deprecationHeaders(endpoint, config.deprecations),
  })
  const figures = Object.fromEntries([200, 304].map((status) => [status, observe.figureOf('GET', pattern, status)]))
  return { kind, pattern, lines, figures }
}
