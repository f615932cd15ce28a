import type { RefusalCode } from '../../domain/refusal.ts'
import { pageHeaders, type ResponseHeader } from './headers.ts'
import { type Json, ref } from './json-schema.ts'
import type { RequestHeader } from './parameters.ts'
import { type Operation, type Paths, pathsOf } from './paths.ts'
import { problemResponses } from './problem-responses.ts'
import { anywhere } from './refusals.ts'

interface ServiceRoute {
  path: string
  operationId: string
  summary: string
  description: string
  response: { description: string; type: string; schema: Json; example: unknown }
  headers?: ResponseHeader[]
  /** Set for a static file or page, which has an ETag, can respond 304 and is compressed. */
  asset?: true
  parameters?: Json[]
  refusals?: RefusalCode[]
}

function page(path: string, operationId: string, summary: string, description: string, title: string): ServiceRoute {
  const example = `<!doctype html><html lang="en"><head><title>${title} · Atrium</title></head></html>`
  const response = { description: 'The page.', type: 'text/html', schema: { type: 'string' }, example }
  return { path, operationId, summary, description, response, headers: ['Permissions-Policy'] }
}

function inPath(name: string, description: string, example: string): Json {
  return { name, in: 'path', required: true, description, schema: { type: 'string' }, example }
}

const status = (word: string) => ({
  description: 'Yes.',
  type: 'application/json',
  schema: { type: 'object', required: ['status'], properties: { status: { type: 'string', const: word } } },
  example: { status: word },
})

const withoutScripts = 'This document as a page without scripts. Everything it loads comes from this service.'
const viewer = 'A viewer of this document that can send requests to this service with your token.'
const cmsViewer = 'A viewer of the CMS API document that can send requests.'
const allGuides = 'The guides for partners, operators and contributors, with a search.'
const problemPage = 'The page that `type` links to: what happened and what to do.'

/** The routes outside both APIs, which need no token. */
const routes: ServiceRoute[] = [
  {
    path: '/healthz',
    operationId: 'isAlive',
    summary: 'Check that the process is alive',
    description: 'For a supervisor that restarts it.',
    response: status('ok'),
  },
  {
    path: '/readyz',
    operationId: 'isReady',
    summary: 'Check that the node is ready',
    description: 'For load balancers: the database can be reached, and the node is not stopping.',
    response: status('ready'),
    refusals: ['not_ready'],
  },
  {
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Get the metrics',
    description: 'For Prometheus on the same machine, or with an operator key as its bearer token.',
    response: {
      description: 'The metrics in the Prometheus text format.',
      type: 'text/plain',
      schema: { type: 'string' },
      example: 'atrium_http_requests_total{method="GET",route="/v1/me",status="200"} 1\n',
    },
    refusals: ['metrics_not_allowed', 'database_unavailable'],
  },
  {
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Get this document',
    description: 'OpenAPI 3.1, generated from the routes. Web pages of any origin may read it.',
    response: {
      description: 'The document.',
      type: 'application/json',
      schema: { type: 'object', required: ['openapi'], properties: { openapi: { type: 'string' } } },
      example: { openapi: '3.1.1' },
    },
    headers: ['Access-Control-Allow-Origin'],
    asset: true,
  },
  {
    ...page('/docs', 'getDocs', 'Read this reference', withoutScripts, 'Partner API'),
    asset: true,
  },
  {
    ...page('/docs/try', 'getDocsViewer', 'Open the viewer of this API', viewer, 'Try the Partner API'),
    asset: true,
  },
  {
    ...page('/docs/cms', 'getCmsDocs', 'Read the CMS API reference', 'The API for scripts of operators.', 'CMS API'),
    asset: true,
  },
  {
    ...page('/docs/cms/try', 'getCmsDocsViewer', 'Open the viewer of the CMS API', cmsViewer, 'Try the CMS API'),
    asset: true,
  },
  {
    ...page('/docs/guides', 'listGuides', 'Read the list of guides', allGuides, 'Guides'),
    asset: true,
  },
  {
    ...page('/docs/guides/{name}', 'getGuide', 'Read a guide', 'One guide of the list.', 'Quick start'),
    asset: true,
    parameters: [inPath('name', 'The name of the guide.', 'quick-start')],
    refusals: ['route_not_found'],
  },
  page('/problems', 'listProblems', 'Read the list of problems', 'All codes of refusals.', 'Problems'),
  {
    ...page('/problems/{code}', 'getProblem', 'Read about a problem', problemPage, 'Not granted'),
    parameters: [inPath('code', 'The code of the problem.', 'not_granted')],
    refusals: ['route_not_found'],
  },
]

export function servicePaths(): Paths {
  return pathsOf(
    routes.map((route) => ({ ...route, method: 'GET' })),
    operationOf,
  )
}

function operationOf(route: ServiceRoute): Operation {
  const { operationId, summary, description, response, headers = [], asset, parameters = [], refusals = [] } = route
  const { type, schema, example } = response
  const success = pageHeaders([...headers, ...(asset ? (['ETag', 'Vary', 'Content-Encoding'] as const) : [])])
  return {
    operationId,
    tags: ['Service'],
    summary,
    description,
    security: [],
    parameters: [...parameters, ...requestHeaders(asset).map((name) => ref('parameters', name))],
    responses: {
      200: { description: response.description, headers: success, content: { [type]: { schema, example } } },
      ...(asset && {
        304: { description: 'Not changed. No body.', headers: pageHeaders([...headers, 'ETag', 'Vary']) },
      }),
      ...problemResponses([...anywhere, ...refusals], 'service'),
    },
  }
}

function requestHeaders(asset: true | undefined): RequestHeader[] {
  return asset ? ['If-None-Match', 'Accept-Encoding', 'X-Request-Id'] : ['X-Request-Id']
}
