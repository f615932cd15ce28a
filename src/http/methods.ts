import { METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../domain/refusal.ts'

export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')
}

/** A known path with another method is 405 before anybody asks who is calling. */
export function refuseOtherMethods(app: FastifyInstance, routes: readonly { method: string; path: string }[]): void {
  for (const [path, endpoints] of Map.groupBy(routes, ({ path }) => routerPath(path))) {
    const allow = endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    app.route({
      method: METHODS.filter((method) => !allow.includes(method)),
      url: path,
      handler: () => {
        throw new Refusal('method_not_allowed', `This path takes ${allow.join(', ')}.`, { allow })
      },
    })
  }
}
