import type { LineRequest } from '../../torture/line.ts'

/** A full room, one of many facilities, and partners that can see all of them. */
const everything = [{ facilities: '*', read: '*', write: '*', rooms: '*' }]
const areasAtMost = 5000
const facilitiesBesides = 500
const roomsBesides = 12
const mebibyte = 1_048_576

/** Catastrophic backtracking: each further letter of a run doubles the time. */
export const nastyContract = { properties: { text: { pattern: '^(a+)+$' } } }

function facility(id: string, areas: number) {
  const rooms = Array.from({ length: areas }, (_, n) => ({ id: `${n}`, name: `Room ${n} of ${id} é` }))
  const entries = rooms.map(({ id: room, name }) => ({ id: room, name }))
  return { id_external: id, name: id, room_services: true, areas: rooms, areas_autocomplete_list: entries }
}

export const estate = {
  facilities: [
    ...['big-0', 'big-1'].map((id) => facility(id, areasAtMost)),
    facility('rooms', roomsBesides),
    ...Array.from({ length: facilitiesBesides }, (_, n) => ({ id_external: `f${n}`, name: `F ${n}` })),
  ],
  partners: [
    { id: 'all', name: 'All', grants: everything },
    { id: 'nasty', name: 'Nasty', grants: everything },
    {
      id: 'named',
      name: 'Named',
      grants: [
        { facilities: Array.from({ length: facilitiesBesides }, (_, n) => `f${n}`), read: '*', write: '*', rooms: '*' },
      ],
    },
  ],
}

export interface Case extends LineRequest {
  name: string
  as: 'all' | 'nasty' | 'named'
  /** The expected status; with another, the case tests nothing. */
  expects?: number
}

const legacy = (items: unknown) => ({ value: JSON.stringify(items) })
const fill = (bytes: number) => 'é'.repeat(bytes / 2)

/** Returns services of this total size, as one POST can have them. */
function subscriptions(count: number, bytesEach: number): object[] {
  return Array.from({ length: count }, (_, n) => ({
    code: `c${n}`,
    label: 'l',
    start: '2026-11-15 08:30:00',
    end: '2099-11-22',
    text: fill(bytesEach),
  }))
}

function list(entries: number) {
  return {
    value: Array.from({ length: entries }, (_, n) => ({ id_external: `${n}`, name: `Room ${n} ${'x'.repeat(40)}` })),
  }
}

function deep(levels: number): unknown {
  return levels === 0 ? 1 : [deep(levels - 1)]
}

function nasty(path: string): Case {
  const body = legacy([{ code: 'c', text: `${'a'.repeat(27)}!` }])
  return { name: 'text that a contract’s pattern cannot bear', as: 'nasty', method: 'POST', path, body }
}

type Reading = (name: string, path: string, headers?: Record<string, string>) => Case

/** The largest possible room, and every operation on it. */
function fullRoom(room: string, round: number, reading: Reading): Case[] {
  const once = { 'idempotency-key': `round ${round}` }
  const services = `/v1/areas/${room}/data_services`
  const adding = (name: string, items: object[], expects: number, headers = {}): Case => {
    return { ...reading(name, services, headers), method: 'POST', body: legacy(items), expects }
  }
  return [
    { ...reading('opening an open room', `/v1/areas/${room}`), method: 'POST', expects: 200 },
    adding('500 subscriptions', subscriptions(500, 500), 200),
    adding('10 large subscriptions', subscriptions(10, 16_000), 200),
    adding('more than fits', subscriptions(60, 16_000), 400),
    adding('nothing', [], 200),
    adding('one more in a full room', subscriptions(1, 100), 200),
    adding('one more, to be done once', subscriptions(1, 100), 200, once),
    adding('the same again', subscriptions(1, 100), 200, once),
    { ...reading('one less in a full room', `${services}/{last}`), method: 'DELETE', expects: 200 },
    changingOften('each', room, reading),
    changingOften('all', room, reading),
    reading('a full room', `/v1/areas/${room}`),
    reading('its subscriptions', services),
    reading('its subscriptions, packed', services, { 'accept-encoding': 'br' }),
    reading('rooms with a service', '/v1/facilities/rooms/areas?service=c499&active_at=now'),
    reading('areas of full rooms', '/v1/facilities/rooms/areas'),
    reading('what is valid in full rooms', '/v1/facilities/rooms/areas?active_at=now'),
    { ...reading('opening a full room', `/v1/areas/${room}`), method: 'POST', expects: 200 },
  ]
}

/** Sixty operations on one full room, about as many as one call may have. */
function changingOften(mode: string, room: string, reading: Reading): Case {
  const operations = Array(60).fill({ op: 'add_services', area: room, services: [] })
  const path = '/v1/facilities/rooms/areas/bulk'
  return { ...reading(`many operations, ${mode}`, path), method: 'POST', body: { mode, operations }, expects: 200 }
}

/** Headers that Atrium parses, and repetitions over which a parser could backtrack. */
const parsedHeaders = [
  'accept',
  'accept-encoding',
  'if-none-match',
  'if-match',
  'cookie',
  'traceparent',
  'x-forwarded-for',
]
const fillers = [' ', ';', ',', ' ;', '; ', '"', 'W/', '\t']

/** Every character must be escaped in the string that holds them. */
const quotes = (count: number) => '"'.repeat(count)

/** The slowest valid request to each route. Each is sent several times, to another room or facility each time. */
export function casesOf(round: number): Case[] {
  const room = `rooms-${round % roomsBesides}`
  const big = `big-${round % 2}`
  const services = `/v1/areas/${room}/data_services`
  const encodings = ['identity', 'gzip', 'br', 'zstd']
  const reading: Reading = (name, path, headers = {}) => ({
    name,
    as: 'all',
    method: 'GET',
    path,
    headers,
  })
  const filled = { 'content-type': `application/json;${' '.repeat(60_000)}x` }
  return [
    nasty(services),
    ...fillers.flatMap((filler) =>
      parsedHeaders.map((name) =>
        reading(`${name} of ${JSON.stringify(filler)}`, '/openapi.json', {
          [name]: `x${filler.repeat(60_000 / filler.length)}y`,
        }),
      ),
    ),
    { ...reading('a long content-type', services), method: 'POST', headers: filled, body: {} },
    reading('areas of 5,000 rooms', `/v1/facilities/${big}/areas`),
    ...encodings.map((name) => reading(`areas, ${name}`, `/v1/facilities/${big}/areas`, { 'accept-encoding': name })),
    reading('areas that match', `/v1/facilities/${big}/areas?q=room`),
    reading('areas that do not match', `/v1/facilities/${big}/areas?q=${'%C3%A9'.repeat(255)}`),
    reading('areas with a service', `/v1/facilities/${big}/areas?service=tv`),
    reading('areas that are closed', `/v1/facilities/${big}/areas?open=false&changed_since=2020-01-01`),
    reading('areas with what is valid', `/v1/facilities/${big}/areas?active_at=now`),
    reading('areas, a page', `/v1/facilities/${big}/areas?limit=1000`),
    reading('the longest id', `/v1/areas/${'%F0%9F%9B%8F'.repeat(4000)}`),
    reading('all facilities', '/v1/facilities/'),
    { ...reading('all named facilities', '/v1/facilities/'), as: 'named' },
    { ...reading('what a token may do', '/v1/me'), as: 'named' },
    reading('the API document', '/openapi.json'),
    reading('the reference', '/docs'),
    reading('a guide', '/docs/guides/errors'),
    reading('the figures', '/metrics'),
    {
      ...reading('a list of 10,000', `/v1/facilities/${big}/areas_autocomplete_list`),
      method: 'PATCH',
      body: list(10_000),
    },
    {
      ...reading('a list of 10,000, rehearsed', `/v1/facilities/${big}/areas_autocomplete_list?dry_run=true`),
      method: 'PATCH',
      body: list(10_000),
    },
    reading('where events begin', '/v1/events'),
    reading('the list', `/v1/facilities/${big}/areas_autocomplete_list`),
    reading('entries that match', `/v1/facilities/${big}/areas_autocomplete_list?q=room`),
    ...fullRoom(room, round, reading),
    {
      ...reading('the deepest', services),
      method: 'POST',
      body: legacy(Array(500).fill({ code: 'c', deep: deep(29) })),
    },
    { ...reading('quotes', services), method: 'POST', body: legacy(Array(30).fill({ code: 'c', text: quotes(4000) })) },
    {
      ...reading('many empty arrays', services),
      method: 'POST',
      body: legacy([{ code: 'c', all: Array(5000).fill([]) }]),
    },
    { ...reading('the last of 1,000', services), method: 'POST', body: legacy(subscriptions(469, 100)), expects: 200 },
    { ...reading('no JSON at all', services), method: 'POST', body: { value: '['.repeat(mebibyte - 100) } },
    reading('a room of 1,000', `/v1/areas/${room}`),
    reading('its 1,000', services),
    { ...reading('opening', `/v1/areas/${room}`), method: 'POST' },
    { ...reading('closing', `/v1/areas/${room}`), method: 'DELETE' },
  ]
}
