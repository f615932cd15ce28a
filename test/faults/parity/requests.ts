import { fullId } from '../../../src/domain/identifier.ts'
import type { Random } from '../../torture/random.ts'
import { bulk } from './bulk.ts'
import { estate, facilities, shortIds } from './estate.ts'
import { type Pair, type Pairing, same } from './pairing.ts'
import { nasty, pick, subscriptions, text } from './values.ts'

/** A request in which ids and ETags are each engine's own. */
export interface Asked {
  line: Pair
  /** The partner whose token is sent. */
  as: string | undefined
  headers: [name: string, value: Pair][]
  body: Pair | undefined
}

const partners = estate.partners.map(({ id }) => id)
export function randomRequest(random: Random, pairing: Pairing): Asked {
  const facility = random.chance(0.9)
    ? random.pick(facilities)
    : random.pick(['nowhere', '%20', encodeURIComponent('é')])
  const short = random.chance(0.9) ? random.pick(shortIds) : random.pick(nasty).toWellFormed()
  const area = encodeURIComponent(fullId(facility, short))
  const [line, body] = random.pick(kinds)(random, {
    facility: `/v1/facilities/${facility}`,
    area: `/v1/areas/${area}`,
    pairing,
  })
  const as = random.chance(0.6) ? 'everything' : random.pick([...partners, undefined, 'nobody'])
  const pair = (text: string | Pair) => (typeof text === 'string' ? same(text) : text)
  return { line: pair(line), as, headers: headersFor(random, pairing), body: body === undefined ? body : pair(body) }
}

interface Place {
  facility: string
  area: string
  pairing: Pairing
}
type Kind = (random: Random, place: Place) => [line: string | Pair, body?: string | Pair]

const value = (random: Random) =>
  JSON.stringify({ value: random.chance(0.9) ? text(random) : random.pick([null, 7, [], {}]) })

const kinds: Kind[] = [
  (random) => [`GET /v1/facilities/${query(random)}`],
  (random, { facility }) => [`GET ${facility}${random.pick(['', '/'])}`],
  (random, { facility }) => [`GET ${facility}/areas${query(random)}`],
  (random, { facility }) => [`GET ${facility}/areas_autocomplete_list${query(random)}`],
  (random, { facility }) => [`PATCH ${facility}/areas_autocomplete_list`, list(random)],
  (random, { facility }) => [`PATCH ${facility}/${random.pick(['name', 'ssid_public'])}`, value(random)],
  (random, { facility }) => [
    `PATCH ${facility}/subscription_url`,
    JSON.stringify({ value: `https://x.example/${text(random)}` }),
  ],
  (random, { facility }) => [`GET ${facility}/areas${activeAt(random)}`],
  (random, { area }) => [`GET ${area}${random.pick(['', '/'])}${activeAt(random)}`],
  (random, { area }) => [`GET ${area}/data_services${activeAt(random)}`],
  (random, { area }) => [`${random.pick(['POST', 'DELETE', 'HEAD'])} ${area}`],
  (random, { area }) => [`POST ${area}/data_services`, JSON.stringify({ value: subscriptions(random) })],
  (random, { area }) => [`POST ${area}/data_services`, JSON.stringify({ value: subscriptions(random) })],
  (random, { area }) => [`PUT ${area}/data_services`, `{"data_services":${subscriptions(random) || '1'}}`],
  (random, { area }) => {
    const target = fullId(random.pick(facilities), random.pick(shortIds))
    return [`POST ${area}/move`, JSON.stringify({ to: target })]
  },
  (random, { area, pairing }) => {
    const [one, other] = pick(random, pairing.ids, 'not-an-id')
    const patch = JSON.stringify({ label: text(random), [text(random)]: random.pick([1, null, 'x']) })
    return [[`PATCH ${area}/data_services/${one}`, `PATCH ${area}/data_services/${other}`], patch]
  },
  (random, { area, pairing }) => {
    const [one, other] = pick(random, pairing.ids, 'not-an-id')
    return [[`DELETE ${area}/data_services/${one}`, `DELETE ${area}/data_services/${other}`]]
  },
  (random, { facility, pairing }) => [`POST ${facility}/areas/bulk`, bulk(random, facility, pairing)],
  (random, { facility, pairing }) => [`POST ${facility}/areas/bulk`, bulk(random, facility, pairing)],
  (random, { facility, pairing }) => [`POST ${facility}/areas/bulk`, bulk(random, facility, pairing)],
  () => ['GET /v1/me'],
  (random) => [
    `GET ${random.pick(['/v1/nowhere', '/v1/facilities/%', '/readyz', '/problems/not_granted', '/v1//me'])}`,
  ],
]

function query(random: Random): string {
  const parts = [
    `limit=${random.pick(['1', '2', '3', '7', '0', 'x'])}`,
    `cursor=${random.pick(cursors)}`,
    `status=${random.pick(['active', 'suspended', 'Active'])}`,
    `type=${random.pick(['hotel', 'hospital', 'HOTEL'])}`,
    `open=${random.pick(['true', 'false', '1'])}`,
    `service=${encodeURIComponent(random.pick([...nasty, 'tv', 'Plain', '1']).toWellFormed())}`,
    `changed_since=${random.pick(['2020-01-01', '2999-01-01T00:00:00Z', 'x'])}`,
    `q=${encodeURIComponent(random.pick([...nasty, 'e', 'E', '1']).toWellFormed())}`,
    'unknown=1',
  ]
  const chosen = parts.filter(() => random.chance(0.15))
  return chosen.length === 0 ? '' : `?${chosen.join('&')}`
}

function activeAt(random: Random): string {
  return random.pick([
    '',
    '?active_at=2026-12-01T00:00:00Z',
    '?active_at=2027-06-01T00:00:00Z',
    '?active_at=2040-01-01',
  ])
}

const cursorOf = (...place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url')
const cursors = [
  'x',
  cursorOf('facilities', 12),
  cursorOf('facilities', 2 ** 60),
  ...shortIds.map((id) => cursorOf('areas', id, id)),
]

function list(random: Random): string {
  const entries = Array.from({ length: random.below(5) }, () => ({ id_external: text(random), name: text(random) }))
  return JSON.stringify({ value: random.chance(0.9) ? entries : random.pick([null, {}, [1]]) })
}

function headersFor(random: Random, pairing: Pairing): [string, Pair][] {
  const all: [string, Pair][] = [
    ['If-None-Match', pick(random, pairing.tags, '"x"')],
    ['If-Match', pick(random, pairing.tags, '*')],
    ['Atrium-Cycle', pick(random, pairing.ids, 'x')],
    ['Idempotency-Key', same(`key-${random.below(20)}`)],
    ['Content-Type', same(random.pick(['text/plain', 'application/json; charset=utf-8']))],
  ]
  return all.filter(() => random.chance(0.08))
}
