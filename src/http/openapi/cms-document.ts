import type { CmsEndpoint, CmsPathParameter } from '../cms/endpoint.ts'
import { linesType } from '../cms/progress-lines.ts'
import { parameters } from '../cms/query.ts'
import { cmsRoutes } from '../cms/routes.ts'
import { cmsComponents } from '../cms/schemas.ts'
import { nameOf } from '../pipeline/query.ts'
import { Type } from '../schema.ts'
import { cmsHeaders, headerComponents, streamHeaders } from './headers.ts'
import { type Json, jsonSchema, ref, schemaComponents } from './json-schema.ts'
import { parameterComponents } from './parameters.ts'
import { type Operation, parametersIn, pathsOf, shareResponses } from './paths.ts'
import { problemExamples } from './problem-examples.ts'
import { problemResponses } from './problem-responses.ts'
import { problemSchema } from './problem-schema.ts'
import { cmsRefusalsOf } from './refusals.ts'

export function cmsDocument(): object {
  const codes = [...new Set(cmsRoutes.flatMap(cmsRefusalsOf))]
  const { paths, responses } = shareResponses(pathsOf(cmsRoutes, operationOf))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Atrium CMS API',
      version: '1.0.0',
      summary: 'For operators: facilities, rooms, partners and their rights',
      description,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    security: [{ operatorKey: [] }, { session: [] }],
    tags,
    paths,
    components: {
      securitySchemes,
      schemas: schemaComponents({ ...cmsComponents, Problem: problemSchema(codes, requiredRole) }),
      parameters: { ...pathParameters(), ...headerParameters(), ...queryComponents() },
      headers: headerComponents('cms'),
      responses,
      examples: problemExamples(codes),
    },
  }
}

const description = `
For scripts: everything that operators do in the console. The conventions are those of the partner API: every success is
\`200\` with a JSON body, problems are RFC 9457, every response has an \`ETag\`, lists are
paged with \`limit\` and the \`Link\` header, and \`X-Request-Id\` identifies the request.

A change of a facility, list, partner, webhook, operator or setting accepts the \`ETag\` of what was read in \`If-Match\`.
Opening and closing a room, and adding services, accept the \`cycle\` that was read in \`Atrium-Cycle\`, or \`none\` for a
closed room, and are refused if the room has another guest by then.

A script sends an operator key, \`Authorization: Bearer atk_…\`; it has the rights of its owner. The console uses a cookie,
and changes with it are accepted from pages of this installation only.

| role | may |
|---|---|
| \`viewer\` | read everything but tokens and the services of rooms |
| \`editor\` | also change facilities, rooms and lists, and see the services of rooms |
| \`admin\` | everything |
`.trim()

const tags = [
  { name: 'Sign-in', description: 'Sign-in, sign-out and sessions.' },
  { name: 'Operators', description: 'Operators and their keys.' },
  { name: 'Facilities', description: 'Hotels, hospitals and residences, with their devices, lists and settings.' },
  { name: 'Areas', description: 'Rooms, zones and spaces, and the services of their guests.' },
  { name: 'Partners', description: 'Grants, contracts, tokens, sandboxes and webhooks of partners.' },
  { name: 'Logs', description: 'The request log and the audit log.' },
  { name: 'Dashboard', description: 'Metrics, and notices of what needs attention.' },
  { name: 'Settings', description: 'Settings that can be changed while the service runs.' },
]

const securitySchemes = {
  operatorKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'atk_<8 characters>_<43 random characters><6 characters of checksum>',
    description: 'An operator key, created in the settings of the console.',
  },
  session: { type: 'apiKey', in: 'cookie', name: 'atrium_session', description: 'The cookie of the console.' },
}

const requiredRole = Type.Object(
  { role: Type.String({ description: 'The lowest role that may call this.' }) },
  { description: 'With `role_insufficient`: the role that is needed.' },
)

function operationOf(endpoint: CmsEndpoint): Operation {
  const { operationId, tag, role, method, summary, description, body, response } = endpoint
  const setsCookie = /^(?:sign(?:In|Out)|\w+SingleSignOn)/.test(operationId)
  const isPaged = endpoint.query?.includes('cursor') ?? false
  const paging = [
    ...(isPaged ? (['Link'] as const) : []),
    ...(isPaged && !endpoint.uncounted ? (['X-Total-Count'] as const) : []),
  ]
  const more = ['Content-Encoding' as const, ...paging, ...(setsCookie ? (['Set-Cookie'] as const) : [])]
  const json = { schema: jsonSchema(response.schema), example: response.example }
  return {
    operationId,
    tags: [tag],
    summary,
    description: role === 'anyone' ? description : `${description}\n\nNeeds the role \`${role}\`.`,
    ...(role === 'anyone' && { security: [] }),
    parameters: parametersOf(endpoint),
    ...(body && {
      requestBody: {
        required: true,
        content: { [body.type ?? 'application/json']: { schema: jsonSchema(body.schema), example: body.example } },
      },
    }),
    responses: {
      200:
        response.type === undefined
          ? { description: response.description, headers: cmsHeaders(more), content: contentOf(endpoint, json) }
          : {
              description: response.description,
              headers: streamHeaders(response.type),
              content: { [response.type]: json },
            },
      ...(method === 'GET' &&
        response.type === undefined && {
          304: { description: 'Not changed since `If-None-Match`. No body.', headers: cmsHeaders([...paging]) },
        }),
      ...problemResponses(cmsRefusalsOf(endpoint), 'cms'),
    },
  }
}

function contentOf({ query = [] }: CmsEndpoint, json: Json): Json {
  const lines = {
    schema: { type: 'string', description: 'Lines of JSON.' },
    example: '{"done":0,"of":2}\n{"answer":{}}\n',
  }
  return { 'application/json': json, ...(query.includes('progress') && { [linesType]: lines }) }
}

function parametersOf({ method, path, query = [], conditional, cycle }: CmsEndpoint): Json[] {
  const headers = [
    ...(method === 'GET' ? ['If-None-Match'] : []),
    ...(conditional ? ['If-Match'] : []),
    ...(cycle ? ['Atrium-Cycle'] : []),
    'Accept-Encoding',
    'X-Request-Id',
  ]
  return [...parametersIn(path), ...query, ...headers].map((name) => ref('parameters', name))
}

const inPath: Record<CmsPathParameter, string> = {
  areaId: 'Full id of a room.',
  deviceId: 'Id of a device, within its facility.',
  facilityId: 'External id of a facility.',
  keyId: 'Public id of an operator key.',
  operatorId: 'Id of an operator.',
  partnerId: 'Id of a partner.',
  seq: 'Number of an audit entry.',
  serviceId: 'Id of a service of a room.',
  sessionId: 'Id of a session.',
  tokenId: 'Public id of a token.',
  webhookId: 'Id of a webhook.',
}

function pathParameters(): Json {
  const schema = { type: 'string', minLength: 1 }
  const components = Object.entries(inPath).map(([name, description]) => {
    return [name, { name, in: 'path', required: true, description, schema, example: 'id' }]
  })
  return Object.fromEntries(components)
}

function headerParameters(): Json {
  const names = ['If-None-Match', 'If-Match', 'Accept-Encoding', 'X-Request-Id']
  const shared = Object.entries(parameterComponents()).filter(([name]) => names.includes(name))
  return { ...Object.fromEntries(shared), 'Atrium-Cycle': seenCycle }
}

const seenCycle = {
  name: 'Atrium-Cycle',
  in: 'header',
  required: false,
  description: 'The `cycle` of the room as it was read; `none` if it was closed.',
  schema: { anyOf: [{ type: 'string', format: 'uuid' }, { const: 'none' }] },
  example: 'none',
}

function queryComponents(): Json {
  const used = new Set(cmsRoutes.flatMap(({ query = [] }) => query))
  return Object.fromEntries(
    Object.entries(parameters)
      .filter(([name]) => used.has(name as keyof typeof parameters))
      .map(([name, { description, schema, example }]) => [
        name,
        { name: nameOf(parameters, name), in: 'query', required: false, description, schema, example },
      ]),
  )
}
