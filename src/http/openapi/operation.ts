import type { Need } from '../../domain/access/grant.ts'
import type { Endpoint } from '../partner/endpoint.ts'
import { successHeaders, unchangedHeaders } from './headers.ts'
import { type Json, jsonSchema } from './json-schema.ts'
import { parametersOf } from './parameters.ts'
import type { Operation } from './paths.ts'
import { problemResponses } from './problem-responses.ts'
import { refusalsOf } from './refusals.ts'

export function operationOf(endpoint: Endpoint): Operation {
  const { operationId, tag, summary, body, response } = endpoint
  const json = { schema: jsonSchema(response.schema), example: response.example }
  const success = {
    description: response.description,
    headers: successHeaders(endpoint),
    content: { 'application/json': json, ...streamOf(endpoint) },
  }
  const unchanged = { description: 'Not changed since `If-None-Match`. No body.', headers: unchangedHeaders(endpoint) }
  return {
    operationId,
    tags: [tag],
    summary,
    description: descriptionOf(endpoint),
    parameters: parametersOf(endpoint),
    ...(body && { requestBody: requestBodyOf(body) }),
    responses: {
      200: success,
      ...(endpoint.method === 'GET' && response.etag && { 304: unchanged }),
      ...problemResponses(refusalsOf(endpoint), 'partner'),
    },
  }
}

function streamOf({ stream }: Endpoint): Json {
  if (stream === undefined) return {}
  const schema = { type: 'string', description: 'Each `data` is an `Event`.' }
  return { 'text/event-stream': { schema, example: stream.example } }
}

function descriptionOf({ method, description, needs, right }: Endpoint): string {
  const head = method === 'GET' ? '`HEAD` returns the same headers without the body.' : ''
  const rightText = right === undefined ? '' : `Needs the partner's right \`${right}\`.`
  return [description, needText(needs), rightText, head].filter((part) => part !== '').join('\n\n')
}

function needText(needs: Need): string {
  if (needs === 'none') return ''
  const [kind, name] = Object.entries(needs)[0] as [string, string]
  const services = ', and an installation with per-room services'
  if ('andRooms' in needs) {
    return `Needs the grants \`${kind}: ${name}\` and \`rooms: ${needs.andRooms}\` on the facility${services}.`
  }
  const other = 'orRooms' in needs ? `, or \`rooms: ${needs.orRooms}\`${services}` : ''
  return `Needs the grant \`${kind}: ${name}\` on the facility${name === 'services' ? services : other}.`
}

function requestBodyOf({ schema, examples, or }: NonNullable<Endpoint['body']>): Json {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }])
  const content = { schema: jsonSchema(schema), examples: Object.fromEntries(named) }
  return { required: true, content: { 'application/json': content, ...(or && { [or]: content }) } }
}
