import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveFastHttp } from './adapters/fast-http1.ts'
import { createListener } from './adapters/listener.ts'
import { serveNodeHttp } from './adapters/node-http.ts'
import { cmsApi } from './cms/api.ts'
import type { ServerDependencies } from './dependencies.ts'
import { Draining } from './draining.ts'
import { metricsRoute } from './observability/metrics-route.ts'
import { partnerApi } from './partner/api.ts'
import { Pipeline } from './pipeline/pipeline.ts'
import { patternOf } from './pipeline/router.ts'
import { consoleRoutes } from './site/console.ts'
import { docsRoutes } from './site/docs.ts'
import { downloadsRoutes } from './site/downloads.ts'
import { guidesRoutes } from './site/guides.ts'
import { healthRoutes } from './site/health.ts'
import { problemRoutes } from './site/problem-pages.ts'

export interface HttpServer {
  server: Server
  pipeline: Pipeline
  draining: Draining
  listen(): Promise<string>
}

export function createServer(dependencies: ServerDependencies): HttpServer {
  const { config, certificate, db, monitoring, startup } = dependencies
  const server = createListener(config, certificate)
  const draining = new Draining(server, config.drainSeconds)
  const routes = [
    ...partnerApi(dependencies),
    ...cmsApi(dependencies),
    ...healthRoutes(db, draining, startup),
    metricsRoute(dependencies),
    ...problemRoutes(),
    ...docsRoutes(),
    ...guidesRoutes(),
    ...downloadsRoutes(config),
    ...consoleRoutes(),
  ]
  const pipeline = new Pipeline(dependencies, routes, draining)
  const stopped = new AbortController()
  serveNodeHttp(server, pipeline, stopped.signal)
  if (config.fastHttp) {
    const streamed = routes.filter(({ isStreamed }) => isStreamed).map(patternOf)
    const isStreamed = (url: string) => streamed.some((path) => url.startsWith(path))
    serveFastHttp(server, { pipeline, draining, isStreamed })
  }
  draining.onNoticeOver(() => {
    stopped.abort()
    monitoring.feed.end()
  })
  return {
    server,
    pipeline,
    draining,
    listen: () => listen(server, config, certificate === undefined ? 'http' : 'https'),
  }
}

function listen(server: Server, { host, port }: ServerDependencies['config'], scheme: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      const { address, family, port: bound } = server.address() as AddressInfo
      resolve(`${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${bound}`)
    })
  })
}
