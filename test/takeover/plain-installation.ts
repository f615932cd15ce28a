import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What one token sees: the body of each path; other paths are 403. */
export type View = Record<string, unknown>

export interface PlainInstallation {
  url: string
  /** Method and path of each request so far, with the token. */
  requests: { method: string; path: string; token: string }[]
  close(): void
}

/** Replaces the response to a request. Returns true if it has sent one. */
export type Meddle = (request: IncomingMessage, response: ServerResponse, count: number) => boolean

/** Starts an installation with nothing but what the specification demands: no ETags, no extensions, no `/v1/me`. */
export async function startPlain(
  views: Record<string, View>,
  meddle: Meddle = () => false,
): Promise<PlainInstallation> {
  const requests: PlainInstallation['requests'] = []
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    requests.push({ method, path, token })
    if (meddle(request, response, requests.length)) return
    const view = views[token]
    const status = view === undefined ? 401 : path in view ? 200 : path === '/v1/me' ? 404 : 403
    const body = status === 200 ? view?.[path] : { error: status }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, requests, close }
}

const listKey = 'areas_autocomplete_list'

/** Sends lists in pages of one item, with a link to the next page. */
export function inPages(views: Record<string, View>, linkTo = (query: string, _path: string) => query): Meddle {
  return ({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://old')
    const body = views[headers.authorization?.replace('Bearer ', '') ?? '']?.[pathname]
    const list = Array.isArray(body) ? body : (body as View | undefined)?.[listKey]
    if (!Array.isArray(list)) return false
    const page = Number(searchParams.get('page') ?? 0)
    const items = list.slice(page, page + 1)
    if (page < list.length - 1) {
      const link = `</>; rel=start, <${linkTo(`?page=${page + 1}`, pathname)}>; title="a, <b>"; rel="last next"`
      response.setHeader('link', link)
    }
    response.end(JSON.stringify(list === body ? items : { [listKey]: items }))
    return true
  }
}

const summary = { id: 7, id_external: 'old-01', name: 'Old House', status: 'active' }
const tv = { id: 'tv-9', type: 'tv', area_id_external: 'old-01-9', warranty: 2030 }
const areas = [
  { id_external: 'old-01-1', data_services: [], data_general: [{ floor: 1 }] },
  {
    id_external: 'old-01-2',
    data_services: [{ id: 's-1', code: 'tv', label: 'TV', status: 'active', end: '2099-01-01T00:00:00+01:00', box: 4 }],
    data_general: ['a note that is no object'],
    smoking: false,
  },
  { id_external: 'elsewhere-3', data_services: [], data_general: [] },
]

/** Two partners that see different parts of a house; the second one also sees an annex, of which little is shown. */
export const oldViews: Record<string, View> = {
  'secret-one': {
    '/v1/facilities/': [summary],
    '/v1/facilities/old-01/': {
      ...summary,
      ssid_public: 'Old',
      stars: 4,
      type: 'Grand Hotel',
      areaCount: 3,
      devices: [tv],
    },
    '/v1/facilities/old-01/areas': areas,
  },
  'secret-two': {
    '/v1/facilities/': [summary, { id: 7, id_external: 'old-02', name: 'Annex', status: 'active' }],
    '/v1/facilities/old-01/': { ...summary, subscription_url: 'https://p.example/', address: { city: 'Lyon', box: 3 } },
    '/v1/facilities/old-01/areas_autocomplete_list': {
      areas_autocomplete_list: [{ id_external: 'old-01-1', name: 'Room one' }],
    },
    '/v1/facilities/old-02/': { id: 7, id_external: 'old-02', name: 'Annex', status: 'active' },
  },
}
