/** A path as the framework's router knows it. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')
}

interface Known {
  pattern: RegExp
  allow: string[]
}

/**
 * The methods that a path takes, when it is one of these routes. Asked only where nothing is served: a path with another
 * method is 405 before anybody asks who is calling. A route for each method that there is would be thousands of them.
 */
export function methodsAt(routes: readonly { method: string; path: string }[]): (url: string) => string[] | undefined {
  const known = [...Map.groupBy(routes, ({ path }) => routerPath(path))].map(([path, endpoints]): Known => {
    const allow = endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    return { pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`), allow }
  })
  return (url) => {
    const path = decoded(url.replace(/^https?:\/\/.*?\//i, '/').replace(/[?#].*$/s, ''))
    return known.find(({ pattern }) => pattern.test(path))?.allow
  }
}

/** As the router reads it; what it cannot read is no path of ours. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return ''
  }
}
