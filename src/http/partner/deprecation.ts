import type { Deprecation } from '../../config.ts'
import type { Endpoint } from './endpoint.ts'
import { partnerEndpoints } from './routes.ts'

/** Returns the headers Deprecation (RFC 9745) and Sunset (RFC 8594). */
export function deprecationHeaders(endpoint: Endpoint, deprecations: Deprecation[]): Record<string, string> {
  const found = deprecations.find(({ route }) => isRoute(endpoint, route))
  if (found === undefined) return {}
  return {
    deprecation: `@${Math.floor(found.deprecation.getTime() / 1000)}`,
    ...(found.sunset && { sunset: found.sunset.toUTCString() }),
  }
}

function isRoute({ method, path }: Endpoint, route: string): boolean {
  return route.replace(/\/$/, '') === `${method} ${path}`.replace(/\/$/, '')
}

export function assertKnownDeprecations(deprecations: Deprecation[]): void {
  const unknown = deprecations.find(({ route }) => !partnerEndpoints.some((endpoint) => isRoute(endpoint, route)))
  if (unknown !== undefined) throw new Error(`ATRIUM_DEPRECATIONS names "${unknown.route}", which is no route of /v1`)
}
