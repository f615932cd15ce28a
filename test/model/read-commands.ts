import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Command, command, facilityId, fullId, partner } from './command.ts'
import { partnerId } from './estate.ts'
import { type Expected, type Model, outcome } from './model.ts'
import {
  listAreas,
  listFacilities,
  readArea,
  readFacility,
  readGrants,
  readList,
  readServices,
  resources,
} from './reads.ts'
import { type Asking, exchange, type Real } from './real.ts'
import { moments } from './values.ts'

const limit = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined })
/** Repeats a read with If-None-Match. */
const again = fc.boolean()
const at = fc.constantFrom(undefined, undefined, ...moments)
const activeAt = (at: string | undefined) => (at === undefined ? '' : `?active_at=${at}`)

async function readTwice(real: Real, asking: Asking, expected: Expected, twice: boolean): Promise<void> {
  const { headers } = await exchange(real, asking, expected)
  const etag = headers.get('etag')
  if (!twice || etag === null) return
  const second = await real.atrium.ask(asking.request, {
    as: partnerId(asking.partner),
    headers: { 'if-none-match': etag },
  })
  assert.deepEqual([second.status, second.text], [304, ''])
}

/** Reads a list, whole or page by page. */
async function readPages(
  real: Real,
  partner: number,
  path: string,
  query: Record<string, string | number | boolean | undefined>,
  expected: Expected,
): Promise<void> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  let next: string | undefined =
    `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
  if ('code' in expected) return void (await exchange(real, { partner, request: `GET ${next}` }, expected))
  const all = expected.body as unknown[]
  const size = Number(query.limit ?? Number.MAX_SAFE_INTEGER)
  let at = 0
  do {
    const page = all.slice(at, at + size)
    // The ETag covers the Link to the next page, whose cursor depends on the list and its filters.
    const tagged = at + size < all.length ? { page, next: [partner, path, { ...query, limit: null }] } : page
    const { headers } = await exchange(real, { partner, request: `GET ${next}` }, { status: 200, body: page, tagged })
    at += size
    next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    assert.equal(next !== undefined, at < all.length, 'a next page is announced when there is one')
  } while (next !== undefined)
}

async function readMe(model: Model, real: Real, partner: number): Promise<void> {
  const { status, body } = await real.atrium.ask('GET /v1/me', { as: partnerId(partner) })
  assert.equal(status, 200)
  assert.deepEqual(body.grants, readGrants(model, partner))
}

export const readCommands: fc.Arbitrary<Command>[] = [
  command(
    'listFacilities',
    fc.record({ partner, limit, status: fc.constantFrom(undefined, undefined, 'active', 'closed') }),
    ({ partner, limit, status }, model, real) =>
      readPages(real, partner, '/v1/facilities/', { limit, status }, listFacilities(model, partner, status)),
  ),
  command('readFacility', fc.record({ partner, id: facilityId, again }), ({ partner, id, again }, model, real) => {
    const expected = outcome(() => readFacility(model, partner, id))
    const asking = { partner, request: `GET /v1/facilities/${id}/`, resource: resources.facility(id) }
    return readTwice(real, asking, expected, again)
  }),
  command(
    'listAreas',
    fc.record({
      partner,
      id: facilityId,
      limit,
      filters: fc.record({
        q: fc.constantFrom(undefined, undefined, 'roo', '1', 'BAR', 'x', 'north-1'),
        open: fc.constantFrom(undefined, undefined, true, false),
        service: fc.constantFrom(undefined, undefined, 'tv', 'odd', '4294967294', 'x'),
      }),
    }),
    ({ partner, id, limit, filters }, model, real) => {
      const expected = outcome(() => listAreas(model, partner, id, filters))
      return readPages(real, partner, `/v1/facilities/${id}/areas`, { limit, ...filters }, expected)
    },
  ),
  command('readList', fc.record({ partner, id: facilityId, again }), ({ partner, id, again }, model, real) => {
    const expected = outcome(() => readList(model, partner, id))
    const request = `GET /v1/facilities/${id}/areas_autocomplete_list`
    return readTwice(real, { partner, request, resource: resources.list(id) }, expected, again)
  }),
  command('readArea', fc.record({ partner, id: fullId, again, at }), ({ partner, id, again, at }, model, real) => {
    const expected = outcome(() => readArea(model, partner, id, at))
    const asking = { partner, request: `GET /v1/areas/${id}/${activeAt(at)}` }
    return readTwice(real, { ...asking, ...(at === undefined && { resource: resources.area(id) }) }, expected, again)
  }),
  command('readServices', fc.record({ partner, id: fullId, again, at }), ({ partner, id, again, at }, model, real) => {
    const expected = outcome(() => readServices(model, partner, id, at))
    const asking = { partner, request: `GET /v1/areas/${id}/data_services${activeAt(at)}` }
    // This ETag is valid in If-Match for changes of services, but not for opening and closing.
    return readTwice(real, { ...asking, ...(at === undefined && { resource: resources.area(id) }) }, expected, again)
  }),
  command('readMe', fc.record({ partner }), ({ partner }, model, real) => readMe(model, real, partner)),
]
