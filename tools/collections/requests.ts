/** One request of a collection, from the OpenAPI document. */
export interface CollectionRequest {
  folder: string
  name: string
  description: string
  method: string
  /** Path after the base address, with `{{variables}}`. */
  path: string
  /** Optional query parameters, disabled by default. */
  query: [name: string, value: string][]
  headers: [name: string, value: string][]
  body?: string
  /** Variable for later requests, and the JavaScript expression that reads it from the response. */
  captures?: [variable: string, path: string]
}

export interface Collection {
  title: string
  description: string
  /** Variables of the collection; the token is left out, because it is a secret. */
  variables: [name: string, value: string][]
  requests: CollectionRequest[]
}

interface Parameter {
  name: string
  in: string
  example: string | number
}

interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters: { $ref: string }[]
  requestBody?: { content: { 'application/json': { examples: Record<string, { value: unknown }> } } }
}

export interface Document {
  info: { title: string }
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}

/** Variable names of path parameters. */
const variableNames = {
  facilityExternalId: 'facility',
  areaExternalId: 'room',
  serviceId: 'service',
  webhookId: 'webhook',
}

/** Example values that the demo partner `vesta-tv` may use. */
const demo: Record<string, string> = { facility: 'annecy-01', room: 'annecy-01-B-202' }

const captures: Record<string, CollectionRequest['captures']> = {
  addRoomServices: ['service', 'services.data_services.at(-1).id'],
  // The room that is closed in the end is the one that has the guest.
  moveGuest: ['room', 'to.area.id_external'],
  replaceRoomServices: ['service', 'services.data_services.at(-1).id'],
  createWebhook: ['webhook', 'webhook.id'],
}

/** Requests at the end of their folder, so that a run uses what it added and closes what it opened. */
const lastOfAll = ['closeRoom', 'deleteWebhook']

/** Headers that tools set themselves. */
const left = ['Accept-Encoding', 'X-Request-Id']

/** Returns the routes of `/v1` with the examples of the document. */
export function collectionOf(document: Document): Collection {
  const { parameters } = document.components
  const examples = Object.entries(variableNames).map(([parameter, name]): [string, string] => [
    name,
    demo[name] ?? String(parameters[parameter]?.example),
  ])
  const routes = Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/'))
  return {
    title: document.info.title,
    description:
      'Made from the OpenAPI document. Set base_url, token, and a facility and a room that GET /v1/me shows you.',
    variables: [['base_url', 'http://127.0.0.1:8080'], ...examples],
    requests: routes
      .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })))
      .sort((a, b) => Number(isLast(a.operation)) - Number(isLast(b.operation)))
      .map(({ method, path, operation }) => requestOf(method, path, operation, parameters)),
  }
}

function isLast({ operationId }: Operation): boolean {
  return lastOfAll.includes(operationId)
}

function requestOf(
  method: string,
  path: string,
  { operationId, tags, summary, description, parameters, requestBody }: Operation,
  known: Record<string, Parameter>,
): CollectionRequest {
  const own = parameters.map(({ $ref }) => known[$ref.split('/').at(-1) ?? '']).filter((one) => one !== undefined)
  const optional = (place: string) =>
    own
      .filter((one) => one.in === place && !left.includes(one.name))
      .map(({ name, example }): [string, string] => [name, String(example)])
  const body = Object.values(requestBody?.content['application/json'].examples ?? {})[0]?.value
  return {
    folder: tags[0] ?? '',
    name: summary,
    description,
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, (_whole, name: keyof typeof variableNames) => `{{${variableNames[name]}}}`),
    query: optional('query'),
    headers: optional('header'),
    ...(body !== undefined && { body: JSON.stringify(body, null, 2) }),
    ...(captures[operationId] && { captures: captures[operationId] }),
  }
}
