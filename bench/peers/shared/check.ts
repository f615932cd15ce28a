import { isDeepStrictEqual } from 'node:util'
import type { BenchEstate } from '../../estate/shape.ts'
import type { Place, Work } from '../../work.ts'
import type { RunningPeer } from '../peer.ts'

/** Finds required values in a peer's responses, whatever their form. */
export interface ResponseReaders {
  facilities(body: unknown): { id_external: string; name: string; status: string }[]
  facility(body: unknown): Record<string, unknown>
  areas(body: unknown): { id_external: string; name: string; codes: string[] }[]
  entries(body: unknown): { id_external: string; name: string }[]
}

/** Sends each work once and compares the response with the estate, so that no error page is measured. */
export async function checkPeer(peer: RunningPeer, readers: ResponseReaders, estate: BenchEstate): Promise<void> {
  const place = { facility: 7, area: 2, partner: estate.partnersOf(7)[0] ?? 0, turn: 1 }
  await checkReads(peer, readers, estate, place)
  await checkWrites(peer, readers, estate, place)
  await checkRefusals(peer, readers, estate, place)
}

async function checkReads(
  peer: RunningPeer,
  readers: ResponseReaders,
  estate: BenchEstate,
  place: Place,
): Promise<void> {
  const { facilities } = estate.partner(place.partner)
  const listed = readers.facilities(await ok(peer, 'R1', place)).map(({ id_external, name, status }) => ({
    id_external,
    name,
    status,
  }))
  const expected = facilities.map((index) => {
    const { idExternal, name, status } = estate.facility(index)
    return { id_external: idExternal, name, status }
  })
  same(listed.length, expected.length, 'R1 lists as many facilities as the partner sees')
  same(byId(listed), byId(expected), 'R1 lists the facilities of the partner')

  const { idExternal, name, status, type, ssidPublic, subscriptionUrl, address } = estate.facility(place.facility)
  const read = readers.facility(await ok(peer, 'R2', place))
  const fields = { id_external: idExternal, name, status, type, ssid_public: ssidPublic, address }
  const all = { ...fields, subscription_url: subscriptionUrl, areas_count: estate.areas }
  for (const [field, value] of Object.entries(all)) same(read[field], value, `R2 has ${field}`)

  const areas = readers.areas(await ok(peer, 'R3', place))
  same(areas.length, estate.areas, 'R3 lists every area')
  for (const index of [0, place.area, estate.areas - 1]) {
    const { fullId, name } = estate.area(place.facility, index)
    const found = areas.find((area) => area.id_external === fullId)
    same(found?.name, name, `R3 has ${fullId}`)
    same(found?.codes.toSorted(), codes(estate, place.facility, index), `R3 has the services of ${fullId}`)
  }

  const entries = readers.entries(await ok(peer, 'R4', place))
  same(entries.length, estate.areas, 'R4 lists every entry')
  same(entries[1]?.id_external, estate.area(place.facility, 1).fullId, 'R4 has the entry')
}

/** Reads each write back at once: a cache must not return stale data. */
async function checkWrites(
  peer: RunningPeer,
  readers: ResponseReaders,
  estate: BenchEstate,
  place: Place,
): Promise<void> {
  const { name } = estate.facility(place.facility)
  await ok(peer, 'W1', place)
  const renamed = readers.facility(await ok(peer, 'R2', place)).name
  must(renamed !== name && String(renamed).startsWith(name), 'W1 renames')

  const { fullId } = estate.area(place.facility, place.area)
  const inRoom = async () =>
    readers.areas(await ok(peer, 'R3', place)).find(({ id_external }) => id_external === fullId)?.codes.length
  const before = await inRoom()
  const { body } = await send(peer, 'W2', place, 'succeed')
  same(await inRoom(), (before ?? 0) + 1, 'W2 adds a subscription')
  await ok(peer, 'W3', { ...place, subscription: peer.subscriptionIn(body) })
  same(await inRoom(), before, 'W3 deletes it')
}

async function checkRefusals(
  peer: RunningPeer,
  readers: ResponseReaders,
  estate: BenchEstate,
  place: Place,
): Promise<void> {
  const { body } = await send(peer, 'W2', place, 'succeed')
  const subscription = peer.subscriptionIn(body)
  const insiders = estate.partnersOf(place.facility)
  const stranger = Array.from({ length: estate.partners }, (_, index) => index).find((one) => !insiders.includes(one))
  must(stranger !== undefined, 'some partner does not see the facility')
  const foreign = { ...place, partner: stranger, subscription }
  for (const work of ['R2', 'W1', 'W2', 'W3'] as const) await send(peer, work, foreign, 'be refused')
  const hidden = await send(peer, 'R3', foreign)
  if (hidden.status < 300) same(readers.areas(JSON.parse(hidden.body)).length, 0, 'R3 hides foreign areas')
  await ok(peer, 'W3', { ...place, subscription })

  const plain = peer.requestFor('R2', place)
  must(plain, 'R2 can be done')
  const unknown = { ...plain.headers, authorization: 'Bearer no-such-token' }
  const { status } = await fetch(peer.url + plain.path, { headers: unknown })
  must(status >= 400, `an unknown token gets status 400 or higher, not ${status}`)
}

async function ok(peer: RunningPeer, work: Work, place: Place): Promise<unknown> {
  const { body } = await send(peer, work, place, 'succeed')
  return body === '' ? undefined : JSON.parse(body)
}

async function send(peer: RunningPeer, work: Work, place: Place, should?: 'succeed' | 'be refused') {
  const request = peer.requestFor(work, place)
  must(request, `${work} can be done`)
  const { path, ...rest } = request
  const response = await fetch(peer.url + path, rest)
  const body = await response.text()
  const refused = response.status >= 400 && response.status < 500
  const good = should === undefined || (should === 'succeed' ? response.ok : refused)
  must(good, `${work} should ${should}, but responds ${response.status}: ${body.slice(0, 200)}`)
  return { status: response.status, body }
}

function byId<T extends { id_external: string }>(items: T[]): T[] {
  return items.toSorted((a, b) => (a.id_external < b.id_external ? -1 : 1))
}

function codes(estate: BenchEstate, facility: number, area: number): string[] {
  const count = area < estate.roomsWithSubscriptions ? estate.subscriptionsPerRoom : 0
  return Array.from({ length: count }, (_, index) => estate.subscription(facility, area, index).code).toSorted()
}

function must(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`the check failed: ${what}`)
}

function same(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return
  const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 100)
  throw new Error(`the check failed: ${what}: ${shown(actual)} instead of ${shown(expected)}`)
}
