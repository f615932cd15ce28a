import type { Call, Endpoint, PathParameter } from '../endpoint.ts'
import { partnerRoutes } from './routes.ts'

export interface PlainRoute {
  endpoint: Endpoint
  params: Call['params']
}

/** In all paths of `/v1` the parameters are the third and the fifth part. */
const parameterAt = [2, 4]

/** The route of a path in which nothing is escaped; nothing for every other, which the router knows about. */
export function plainRoutes(): (method: string, url: string) => PlainRoute | undefined {
  const byShape = new Map<string, { endpoint: Endpoint; names: PathParameter[] }>()
  const byPath = new Map<string, { endpoint: Endpoint; names: PathParameter[] }>()
  for (const endpoint of partnerRoutes) {
    const names = Array.from(endpoint.path.matchAll(/\{(\w+)\}/g), ([, name]) => name as PathParameter)
    const parts = partsOf(endpoint.path)
    if (names.length > 0) byShape.set(shapeOf(endpoint.method, parts), { endpoint, names })
    else byPath.set(`${endpoint.method} ${parts.join('/')}`, { endpoint, names })
  }
  return (method, url) => {
    const query = url.indexOf('?')
    const parts = partsOf(query === -1 ? url : url.slice(0, query))
    if (parts.includes('')) return undefined
    const found = byShape.get(shapeOf(method, parts)) ?? byPath.get(`${method} ${parts.join('/')}`)
    if (found === undefined) return undefined
    const { endpoint, names } = found
    const params = Object.fromEntries(names.map((name, index) => [name, parts[parameterAt[index] as number] as string]))
    return { endpoint, params: params as Call['params'] }
  }
}

function partsOf(path: string): string[] {
  return path.slice(1, path.endsWith('/') ? -1 : undefined).split('/')
}

function shapeOf(method: string, parts: string[]): string {
  return `${method} ${parts.map((part, at) => (parameterAt.includes(at) ? '' : part)).join('/')}`
}
