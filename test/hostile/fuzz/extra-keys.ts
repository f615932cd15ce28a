import type { Random } from '../../torture/random.ts'
import type { Wire } from '../../torture/wire.ts'

/** Forty keys with a meaning in the code or in JavaScript, none of which a body may set. */
const keys = [
  ...['id', 'id_external', 'name', 'status', 'type', 'ssid_public', 'subscription_url', 'subscribed', 'timezone'],
  ...['room_services', 'address', 'devices', 'areas', 'areas_autocomplete_list', 'date_created', 'date_updated'],
  ...['cycle', 'opened_at', 'data_services', 'data_general', 'facility_id', 'facility', 'partner', 'partner_id'],
  ...['grants', 'token', 'role', 'is_admin', 'version', 'position', 'json', 'entries', 'entries_count', 'sort_key'],
  ...['id_short', 'code', 'label', 'start', 'end', 'areas_count'],
]

export const roomOfExtraKeys = 'clinic-1'

const writes: [line: string, value: (number: number) => unknown, shows: string][] = [
  ['PATCH /v1/facilities/clinic/name', (number) => `Name ${number}`, 'name'],
  ['PATCH /v1/facilities/clinic/ssid_public', (number) => `Guest ${number}`, 'ssid_public'],
  ['PATCH /v1/facilities/clinic/subscription_url', (number) => `https://portal.example/${number}`, 'subscription_url'],
  [
    'PATCH /v1/facilities/clinic/areas_autocomplete_list',
    (number) => [{ id_external: '1', name: `Room ${number}` }],
    'list',
  ],
  [`POST /v1/areas/${roomOfExtraKeys}/data_services`, () => '[]', 'nothing'],
  [`POST /v1/areas/${roomOfExtraKeys}/`, () => null, 'area'],
  [`DELETE /v1/areas/${roomOfExtraKeys}/`, () => null, 'area'],
]

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Body = any

/** Returns what keys other than `value` have changed, undefined when they changed nothing. */
export async function extraKeysDo(wire: Wire, token: string, random: Random): Promise<string | undefined> {
  const [line, make, shows] = random.pick(writes)
  const before = await everything(wire, token)
  const value = make(random.below(2 ** 32))
  const extra = Object.fromEntries(keys.map((key) => [key, random.pick([1, true, 'extra', null, [], {}])]))
  const { status } = await ask(wire, token, line, { ...extra, value })
  if (status !== 200) return `${line} with forty keys more: ${status}`
  const after = await everything(wire, token)
  for (const part of Object.keys(before)) {
    if (part === shows) continue
    if (JSON.stringify(before[part]) !== JSON.stringify(after[part])) {
      return `${line} with forty keys more changed ${part}: ${JSON.stringify(before[part])} to ${JSON.stringify(after[part])}`
    }
  }
  const isAsSent = typeof value !== 'string' || shows === 'nothing' || after[shows] === value
  return isAsSent ? undefined : `${line} with forty keys more stored ${JSON.stringify(after[shows])}`
}

/** Returns all that partners see of the facility, its list and its first room. */
async function everything(wire: Wire, token: string): Promise<Record<string, unknown>> {
  const [facility, list, areas] = await inTurn(wire, token)
  const { date_updated: _moves, areas_autocomplete_list_count: _follows, ...own } = facility
  return { ...own, list, area: areas[0], otherAreas: areas.slice(1) }
}

async function inTurn(wire: Wire, token: string): Promise<Body[]> {
  const bodies = []
  for (const part of ['/', '/areas_autocomplete_list', '/areas']) {
    bodies.push((await ask(wire, token, `GET /v1/facilities/clinic${part}`)).body)
  }
  return bodies
}

async function ask(wire: Wire, token: string, line: string, body?: object): Promise<{ status: number; body: Body }> {
  const json = body === undefined ? '' : JSON.stringify(body)
  const type = body && `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n`
  const head = `${line} HTTP/1.1\r\nHost: atrium\r\nAuthorization: Bearer ${token}\r\n${type ?? ''}\r\n`
  const answer = await wire.ask({ bytes: head + json })
  return { status: answer?.status ?? 0, body: JSON.parse(answer?.body || 'null') }
}
