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

const html = (description: string, title: string) => ({
  description,
  type: 'text/html',
  schema: { type: 'string' },
  example: `<!doctype html><html lang="en"><head><title>${title} · Atrium</title></head></html>`,
})
const status = (word: string) => ({
  description: 'Yes.',
  type: 'application/json',
  schema: { type: 'object', required: ['status'], properties: { status: { type: 'string', const: word } } },
  example: { status: word },
})

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
    path: '/docs',
    operationId: 'getDocs',
    summary: 'Read this reference',
    description: 'This document as a page without scripts. Everything it loads comes from this service.',
    response: html('The page.', 'Partner API'),
    headers: ['Permissions-Policy'],
    asset: true,
  },
  {
    path: '/docs/try',
    operationId: 'getDocsViewer',
    summary: 'Open the viewer of this API',
    description: 'A viewer of this document that can send requests to this service with your token.',
    response: html('The page.', 'Try the Partner API'),
    headers: ['Permissions-Policy'],
    asset: true,
  },
  {
    path: '/docs/cms',
    operationId: 'getCmsDocs',
    summary: 'Read the CMS API reference',
    description: 'The API for scripts of operators.',
    response: html('The page.', 'CMS API'),
    headers: ['Permissions-Policy'],
    asset: true,
  },
  {
    path: '/docs/cms/try',
    operationId: 'getCmsDocsViewer',
    summary: 'Open the viewer of the CMS API',
    description: 'A viewer of the CMS API document that can send requests.',
    response: html('The page.', 'Try the CMS API'),
    headers: ['Permissions-Policy'],
    asset: true,
  },
  {
    path: '/docs/guides',
    operationId: 'listGuides',
    summary: 'Read the list of guides',
    description: 'The guides for partners, operators and contributors, with a search.',
    response: html('The page.', 'Guides'),
    headers: ['Permissions-Policy'],
    asset: true,
  },
  {
    path: '/docs/guides/{name}',
    operationId: 'getGuide',
    summary: 'Read a guide',
    description: 'One guide of the list.',
    response: html('The page.', 'Quick start'),
    headers: ['Permissions-Policy'],
    asset: true,
    parameters: [
      {
        name: 'name',
        in: 'path',
        required: true,
        description: 'The name of the guide.',
        schema: { type: 'string' },
        example: 'quick-start',
      },
    ],
    refusals: ['route_not_found'],
  },
  {
    path: '/problems',
    operationId: 'listProblems',
    summary: 'Read the list of problems',
    description: 'All codes of refusals.',
    response: html('The page.', 'Problems'),
    headers: ['Permissions-Policy'],
  },
  {
    path: '/problems/{code}',
    operationId: 'getProblem',
    summary: 'Read about a problem',
    description: 'The page that `type` links to: what happened and what to do.',
    response: html('The page.', 'Not granted'),
    headers: ['Permissions-Policy'],
    parameters: [
      {
        name: 'code',
        in: 'path',
        required: true,
        description: 'The code of the problem.',
        schema: { type: 'string' },
        example: 'not_granted',
      },
    ],
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
