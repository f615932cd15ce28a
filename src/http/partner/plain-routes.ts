import type { Call, Endpoint, PathParameter } from '../endpoint.ts'
import { routerPath } from '../methods.ts'
import { partnerRoutes } from './routes.ts'

export interface PlainRoute {
  endpoint: Endpoint
  /** Its path as the router knows it. */
  pattern: string
  params: Call['params']
}

interface KnownRoute extends Pick<PlainRoute, 'endpoint' | 'pattern'> {
  names: PathParameter[]
}

/** In all paths of `/v1` the parameters are the third and the fifth part. */
const parameterAt = [2, 4]

/** The route of a path in which nothing is escaped; nothing for every other, which the router knows about. */
export function plainRoutes(): (method: string, url: string) => PlainRoute | undefined {
  const byShape = new Map<string, KnownRoute>()
  const byPath = new Map<string, KnownRoute>()
  for (const endpoint of partnerRoutes) {
    const names = Array.from(endpoint.path.matchAll(/\{(\w+)\}/g), ([, name]) => name as PathParameter)
    const parts = partsOf(endpoint.path)
    const route = { endpoint, pattern: routerPath(endpoint.path), names }
    if (names.length > 0) byShape.set(shapeOf(endpoint.method, parts), route)
    else byPath.set(`${endpoint.method} ${parts.join('/')}`, route)
  }
  return (method, url) => {
    const query = url.indexOf('?')
    const parts = partsOf(query === -1 ? url : url.slice(0, query))
    if (parts.includes('')) return undefined
    const found = byShape.get(shapeOf(method, parts)) ?? byPath.get(`${method} ${parts.join('/')}`)
    if (found === undefined) return undefined
    const { endpoint, pattern, names } = found
    const params: Partial<Call['params']> = {}
    for (const [index, name] of names.entries()) params[name] = parts[parameterAt[index] as number] as string
    return { endpoint, pattern, params: params as Call['params'] }
  }
}

function partsOf(path: string): string[] {
  return path.slice(1, path.endsWith('/') ? -1 : undefined).split('/')
}

function shapeOf(method: string, parts: string[]): string {
  return `${method} ${parts.map((part, at) => (parameterAt.includes(at) ? '' : part)).join('/')}`
}
