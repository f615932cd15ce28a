import type { LineAnswer, LineRequest } from '../../torture/line.ts'
import { ownNames } from '../../torture/own-fields.ts'
import type { Place } from '../../torture/rooms.ts'
import {
  type Answer,
  codeOf,
  type History,
  namesOf,
  type Request,
  type Route,
  type Sight,
  type Step,
  serviceOf,
} from './history.ts'

/** What a client stored of its last read by a route. */
export interface Kept {
  tag: string
  sight: Sight
}

/** Thrown for a response that no operation on a room can have. */
export class Unexpected extends Error {
  /** The requests and responses up to then. */
  history: History | undefined
}

/** How a request of a history is made over HTTP. */
export function callFor(request: Request, place: Place, idOf: (code: string) => string, kept?: Kept): LineRequest {
  const { room } = place
  if (request.kind === 'read') {
    const { route } = request
    // The ETag of a compressed response differs; that of the area is compared with those that writes return.
    const isCompressed = route === 'areas' || route === 'page'
    const headers = { ...(kept && { 'If-None-Match': kept.tag }), ...(isCompressed && { 'Accept-Encoding': 'gzip' }) }
    return { method: 'GET', path: pathOf(route, place), headers }
  }
  if (request.kind === 'all') return bulkCallFor('all', request.steps, place, idOf)
  const { cycle, etag } = request.onlyIf ?? {}
  const headers = { ...(cycle && { 'Atrium-Cycle': cycle }), ...(etag && { 'If-Match': etag }) }
  switch (request.kind) {
    case 'add': {
      const value = JSON.stringify([itemOf(request.code)])
      return { method: 'POST', path: `/v1/areas/${room}/data_services`, headers, body: { value } }
    }
    case 'delete':
      return { method: 'DELETE', path: `/v1/areas/${room}/data_services/${idOf(request.code)}`, headers }
    case 'change': {
      const path = `/v1/areas/${room}/data_services/${idOf(request.code)}`
      return { method: 'PATCH', path, headers, body: { label: request.label } }
    }
    case 'replace': {
      const body = { data_services: wantedBy(request, idOf) }
      return { method: 'PUT', path: `/v1/areas/${room}/data_services`, headers, body }
    }
    case 'open':
      return { method: 'POST', path: `/v1/areas/${room}/`, headers }
    case 'close':
      return { method: 'DELETE', path: `/v1/areas/${room}/`, headers }
  }
}

/** How several operations on the room are sent in one call. */
export function bulkCallFor(
  mode: 'each' | 'all',
  steps: readonly Step[],
  { facility, room: area }: Place,
  idOf: (code: string) => string,
): LineRequest {
  const operations = steps.map((step): object => {
    const common = { area, ...(step.onlyIf && { cycle: step.onlyIf.cycle }) }
    if (step.kind === 'open' || step.kind === 'close') return { op: step.kind, ...common }
    if (step.kind === 'add') return { op: 'add_services', ...common, services: [itemOf(step.code)] }
    return { op: 'replace_services', ...common, services: wantedBy(step, idOf) }
  })
  return { method: 'POST', path: `/v1/facilities/${facility}/areas/bulk`, headers: {}, body: { mode, operations } }
}

function wantedBy({ kept, added }: Step & { kind: 'replace' }, idOf: (code: string) => string): object[] {
  return [...kept.map((service) => ({ id: idOf(codeOf(service)), ...itemOf(service) })), ...added.map(itemOf)]
}

/** A subscription as it is sent. */
function itemOf(service: string): Record<string, string> {
  const [code = '', label] = namesOf(service)
  return { code, [ownNameOf(code)]: code, ...(label !== undefined && { label }) }
}

/** A free field of each subscription, whose name derives from its code. */
function ownNameOf(code: string): string {
  // JSON.parse may replace an escaped key by another.
  const names = ownNames.filter((name) => JSON.stringify(name) === `"${name}"`)
  return names[Number(code.slice(1)) % names.length] as string
}

function pathOf(route: Route, { facility, room }: Place): string {
  const paths: Record<Route, string> = {
    area: `/v1/areas/${room}/`,
    services: `/v1/areas/${room}/data_services`,
    areas: `/v1/facilities/${facility}/areas`,
    page: `/v1/facilities/${facility}/areas?limit=1000`,
    console: `/cms/v1/facilities/${facility}/areas?limit=100`,
  }
  return paths[route]
}

interface Service {
  id: string
  code: string
  label: string | null
  [own: string]: unknown
}

interface Answered {
  answer: Answer
  services: Service[]
}

interface Area {
  id_external: string
  cycle: string | null
  data_services: Service[]
  /** The name of `data_services` in the CMS API. */
  services?: Service[]
}

/** Reads the room and its services from a response; undefined if the request may or may not have taken effect. */
export function readAnswer(
  request: Request,
  { room }: Place,
  { status, headers, text }: LineAnswer,
  kept?: Kept,
): Answered | undefined {
  if (status === 503) return undefined
  if (request.kind === 'all') return allAnswered(readResults(status, text))
  if (status === 304 && kept !== undefined) return { answer: { said: 'done', sight: kept.sight }, services: [] }
  const body = JSON.parse(text)
  if (status === 412) return { answer: { said: 'moved on' }, services: [] }
  if (status === 404 && body.code === 'service_not_found') return { answer: { said: 'no such service' }, services: [] }
  if (status !== 200) throw new Unexpected(`${request.kind} returned ${status} ${text}`)
  const { cycle, services } = shownBy(request, room, body)
  const isOfArea = request.kind !== 'read' || request.route === 'area'
  const sight = {
    services: namesOfAll(services),
    ...(cycle !== undefined && { cycle }),
    ...(isOfArea && { etag: headers.etag as string }),
  }
  return { answer: { said: 'done', sight }, services }
}

function namesOfAll(services: Service[]): string[] {
  const odd = services.find((service) => service[ownNameOf(service.code)] !== service.code)
  if (odd !== undefined) throw new Unexpected(`a subscription is not as it was sent: ${JSON.stringify(odd)}`)
  return services.map(({ code, label }) => serviceOf(code, label))
}

/** Reads the results of several operations; undefined for those that were not attempted. */
export function readResults(status: number, text: string): (Answered | undefined)[] {
  if (status !== 200) throw new Unexpected(`a call that changes many rooms returned ${status} ${text}`)
  const { results } = JSON.parse(text) as { results: { status: number; area?: Area; problem?: { code: string } }[] }
  return results.map(({ status, area, problem }) => {
    if (area !== undefined) {
      const { cycle, data_services: services } = area
      return { answer: { said: 'done', sight: { cycle, services: namesOfAll(services) } }, services }
    }
    if (status === 424) return undefined
    if (status === 412) return { answer: { said: 'moved on' }, services: [] }
    if (problem?.code === 'service_not_found') return { answer: { said: 'no such service' }, services: [] }
    throw new Unexpected(`an operation returned ${status} ${text}`)
  })
}

/** The response to operations that are all carried out or none. */
function allAnswered(results: (Answered | undefined)[]): Answered {
  const at = results.findIndex((one) => one !== undefined && one.answer.said !== 'done')
  const refused = results[at]
  if (refused !== undefined) return { answer: { ...refused.answer, at } as Answer, services: [] }
  const done = results.flatMap((one) => one ?? [])
  if (done.length < results.length) throw new Unexpected('operations were not attempted, and none failed')
  const steps = done.flatMap(({ answer }) => (answer.said === 'done' ? [answer.sight] : []))
  const services = done.flatMap((one) => one.services)
  return { answer: { said: 'done', sight: steps.at(-1) as Sight, steps }, services }
}

// biome-ignore lint/suspicious/noExplicitAny: responses have many shapes
function shownBy(request: Request, room: string, body: any): { cycle?: string | null; services: Service[] } {
  const ofArea = ({ cycle, data_services: services }: Area) => ({ cycle, services })
  if (body.services !== undefined) return { services: body.services.data_services }
  if (request.kind === 'delete') return { services: body.remaining_services }
  if (request.kind !== 'read') return ofArea(body.area)
  if (request.route === 'services') return { services: body.data_services }
  if (request.route === 'area') return ofArea(body)
  const found = (body as Area[]).find(({ id_external }) => id_external === room)
  if (found === undefined) throw new Unexpected(`the room is not among the areas: ${JSON.stringify(body)}`)
  return request.route === 'console' ? { cycle: found.cycle, services: found.services ?? [] } : ofArea(found)
}
