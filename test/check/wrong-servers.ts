import type { CheckRequest, CheckResponse, Fault, Json } from './faulty-server.ts'

interface WrongServer {
  name: string
  /** The rule that must detect the fault: its section and a word in it. */
  section: string
  rule: RegExp
  crook: Fault
}

const onPath = (pattern: RegExp, methods: string, change: (json: Json, asked: CheckRequest) => Json): Fault => {
  return async (asked, askRight) => {
    const given = await askRight(asked)
    const isMeant = pattern.test(asked.path) && methods.includes(asked.method) && given.status === 200
    return isMeant ? { status: 200, json: change(given.json, asked) } : given
  }
}

/** Responds with success without doing anything. */
const idle = (pattern: RegExp, method: string, json: (asked: CheckRequest) => Json): Fault => {
  return async (asked, askRight) => {
    if (asked.method === method && pattern.test(asked.path)) return { status: 200, json: json(asked) }
    return askRight(asked)
  }
}

const list = /^\/v1\/facilities\/$/
const areas = /\/areas$/
const rooms = /\/areas_autocomplete_list$/
const services = /\/data_services$/
const room = /^\/v1\/areas\/[^/]+\/$/
const codeOf = (text: string) => JSON.parse(text).map((service: Json) => ({ ...service, id: 'mine' }))

/** Adds services, then deletes the former ones: a server that replaces instead of appending. */
const replaces: Fault = async (asked, askRight): Promise<CheckResponse> => {
  const given = await askRight(asked)
  if (asked.method !== 'POST' || !services.test(asked.path) || given.status !== 200) return given
  const all: Json[] = given.json.services.data_services
  const added = JSON.parse(asked.body.value).length
  return { status: 200, json: { ...given.json, services: { data_services: all.slice(all.length - added).reverse() } } }
}

export const wrongServers: WrongServer[] = [
  {
    name: 'requests without a token are accepted',
    section: '5',
    rule: /no token/,
    crook: async (asked, askRight) => (asked.token === undefined ? { status: 200, json: [] } : askRight(asked)),
  },
  {
    name: 'ids of facilities are strings',
    section: '4.1',
    rule: /numeric id/,
    crook: onPath(list, 'GET', (json) => json.map((one: Json) => ({ ...one, id: String(one.id) }))),
  },
  {
    name: 'the list stands in an object',
    section: '4.1',
    rule: /is an array/,
    crook: onPath(list, 'GET', (json) => ({ facilities: json })),
  },
  {
    name: 'a facility without its id',
    section: '4.2',
    rule: /id_external/,
    crook: onPath(/^\/v1\/facilities\/[^/]+\/$/, 'GET', ({ id_external: _, ...rest }) => rest),
  },
  {
    name: 'areas with short ids',
    section: '4.3.1',
    rule: /full form/,
    crook: onPath(areas, 'GET', (json) =>
      json.map((one: Json) => ({ ...one, id_external: one.id_external.split('-').at(-1) })),
    ),
  },
  {
    name: 'data_services left out when there are none',
    section: '4.3.2',
    rule: /empty when absent/,
    crook: onPath(areas, 'GET', (json) =>
      json.map(({ data_services, ...rest }: Json) => (data_services.length > 0 ? { ...rest, data_services } : rest)),
    ),
  },
  {
    name: 'ends as Unix times',
    section: '4.3.3',
    rule: /ISO 8601/,
    crook: onPath(areas, 'GET', (json) =>
      json.map((one: Json) => ({
        ...one,
        data_services: one.data_services.map((service: Json) => ({ ...service, end: Date.parse(service.end) })),
      })),
    ),
  },
  {
    name: 'a bare autocomplete list',
    section: '4.4',
    rule: /under areas_autocomplete_list/,
    crook: onPath(rooms, 'GET', (json) => json.areas_autocomplete_list),
  },
  {
    name: 'the list takes full ids and nothing else',
    section: '4.5',
    rule: /short ids/,
    crook: async (asked, askRight) => {
      if (asked.method !== 'PATCH' || !rooms.test(asked.path)) return askRight(asked)
      const isFull = asked.body.value.every(({ id_external }: Json) => id_external.startsWith('chu-nord-'))
      return isFull ? askRight(asked) : { status: 400, json: { code: 'unknown_area' } }
    },
  },
  {
    name: 'a property is returned under "value"',
    section: '4.6',
    rule: /PATCH name/,
    crook: onPath(/\/name$/, 'PATCH', ({ name }) => ({ value: name })),
  },
  {
    name: 'a write without "value" is taken',
    section: '7',
    rule: /without "value" is refused/,
    crook: idle(/\/name$/, 'PATCH', ({ body }) => ({ name: body.value ?? body.name })),
  },
  {
    name: 'a value that is an array is taken',
    section: '7',
    rule: /array instead of a string/,
    crook: async (asked, askRight) =>
      askRight(
        Array.isArray(asked.body?.value) ? { ...asked, body: { value: JSON.stringify(asked.body.value) } } : asked,
      ),
  },
  {
    name: 'ids are taken from the partner',
    section: '4.7.1',
    rule: /made by the service/,
    crook: onPath(services, 'POST', (json, { body }) => ({
      ...json,
      services: { data_services: [...json.services.data_services.slice(0, -2), ...codeOf(body.value)] },
    })),
  },
  { name: 'new services come first', section: '4.7.2', rule: /behind/, crook: replaces },
  {
    name: 'deleting does nothing',
    section: '4.8',
    rule: /gone/,
    crook: async (asked, askRight) => {
      const [, area, id] = /^(.*\/data_services)\/(.+)$/.exec(asked.path) ?? []
      if (asked.method !== 'DELETE' || area === undefined) return askRight(asked)
      const { json } = await askRight({ ...asked, method: 'GET', path: area })
      const remaining = json.data_services.filter((service: Json) => service.id !== id)
      return { status: 200, json: { info: 'deleted', id, remaining_services: remaining } }
    },
  },
  {
    name: 'opening leaves the services',
    section: '4.9',
    rule: /Opening/,
    crook: async (asked, askRight) =>
      asked.method === 'POST' && room.test(asked.path)
        ? { status: 200, json: { area: (await askRight({ ...asked, method: 'GET' })).json } }
        : askRight(asked),
  },
  {
    name: 'the services of an unknown area are 403',
    section: '7',
    rule: /unknown area/,
    crook: async (asked, askRight) => {
      const given = await askRight(asked)
      return given.status === 404 ? { ...given, status: 403 } : given
    },
  },
]
