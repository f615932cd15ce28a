import findMyWay, { type HTTPMethod } from 'find-my-way'
import { Refusal } from '../../domain/refusal.ts'
import { percentEncoded } from './query.ts'
import type { Route } from './request.ts'

interface Match {
  route: Route
  params: Record<string, string>
}

/** Returns a route's path in the form of logs, metrics and traces, such as `/v1/areas/:areaExternalId`. */
export function patternOf({ path }: Pick<Route, 'path'>): string {
  return path.replace(/\{(\w+)\}/g, ':$1').replace(/(.)\/$/, '$1')
}

export function routeNotFound(): Refusal {
  return new Refusal('route_not_found', 'Nothing is served at this path. The API reference at /docs lists the routes.')
}

function pathNotDecodable(): Refusal {
  return new Refusal('request_malformed', `The path is not ${percentEncoded}.`)
}

/** Finds the route of a request. Decodes percent-encoding once, and ignores a trailing slash. */
export class Router {
  readonly #routes: ReturnType<typeof findMyWay>
  readonly #methods: readonly string[]

  constructor(routes: readonly Route[], maxPathLength: number) {
    this.#routes = findMyWay({ ignoreTrailingSlash: true, maxParamLength: maxPathLength, onBadUrl: () => {} })
    this.#methods = [...new Set(routes.map(({ method }) => method))]
    for (const route of routes) this.#routes.on(route.method as HTTPMethod, patternOf(route), () => {}, route)
  }

  /** Throws `route_not_found`, or `method_not_allowed` if the path has other methods. Routes HEAD as GET. */
  route(method: string, url: string): Match {
    const match = this.#find(method === 'HEAD' ? 'GET' : method, url)
    if (match !== undefined) return match
    const allow = this.#methods.filter((other) => this.#find(other, url) !== undefined)
    if (allow.length === 0) throw routeNotFound()
    const all = allow.flatMap((other) => (other === 'GET' ? ['GET', 'HEAD'] : [other]))
    throw new Refusal('method_not_allowed', `This path takes ${all.join(', ')}.`, { allow: all })
  }

  #find(method: string, url: string): Match | undefined {
    const found = this.#routes.find(method as HTTPMethod, url)
    if (found === null) return undefined
    // find-my-way returned a route of its own, whose `store` is null: the path has invalid percent-encoding.
    if (found.store === null) throw pathNotDecodable()
    const { params } = found
    for (const name in params) if (params[name] === '' && name !== '*') return undefined
    return { route: found.store as Route, params: params as Record<string, string> }
  }
}
