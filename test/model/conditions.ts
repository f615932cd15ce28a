import type { Cycle, IfMatch } from './command.ts'
import type { Area } from './estate.ts'
import { type Expected, type Model, outcome } from './model.ts'
import { readArea, readFacility, readList, resources } from './reads.ts'
import { exchange, type Real } from './real.ts'
import type { RequestConditions } from './writes.ts'

export interface Conditions {
  said: RequestConditions
  headers: Record<string, string>
}

interface Resource {
  name: string
  path: string
  read(model: Model, partner: number): Expected
}

export const facilityResource = (id: string): Resource => ({
  name: resources.facility(id),
  path: `/v1/facilities/${id}/`,
  read: (model, partner) => outcome(() => readFacility(model, partner, id)),
})

export const listResource = (id: string): Resource => ({
  name: resources.list(id),
  path: `/v1/facilities/${id}/areas_autocomplete_list`,
  read: (model, partner) => outcome(() => readList(model, partner, id)),
})

export const areaResource = (id: string): Resource => ({
  name: resources.area(id),
  path: `/v1/areas/${id}/`,
  read: (model, partner) => outcome(() => readArea(model, partner, id)),
})

/** Returns the If-Match header for a choice, and its meaning in the model. */
export async function ifMatchOf(
  model: Model,
  real: Real,
  partner: number,
  { name, path, read }: Resource,
  choice: IfMatch,
): Promise<Conditions> {
  if (choice === 'wrong') return { said: { etag: 'wrong' }, headers: { 'if-match': '"never-was"' } }
  if (choice === '*') return { said: { etag: '*' }, headers: { 'if-match': '*' } }
  if (choice === 'fresh') {
    await exchange(real, { partner, request: `GET ${path}`, resource: name }, read(model, partner))
  }
  const seen = choice === 'none' ? undefined : real.seen.get(`${partner} ${name}`)
  return seen === undefined ? { said: {}, headers: {} } : { said: { etag: seen }, headers: { 'if-match': seen.etag } }
}

const neverWas = '0192f0c1-2d3e-7abc-8def-0123456789ab'

/** Returns the Atrium-Cycle header: the current cycle of the room, a former one, or one that never existed. */
export function cycleOf(real: Real, area: Area | undefined, choice: Cycle): Conditions {
  if (choice === 'none') return { said: {}, headers: {} }
  const meant = choice === 'current' ? area?.cycle : area?.pastCycles.at(-1)
  const known = meant && real.learned.values.get(meant.unknown)
  return meant && known
    ? { said: { cycle: meant }, headers: { 'atrium-cycle': known } }
    : { said: { cycle: 'other' }, headers: { 'atrium-cycle': neverWas } }
}

export function keyOf(key: string | undefined): Conditions {
  return key === undefined ? { said: {}, headers: {} } : { said: { key }, headers: { 'idempotency-key': key } }
}

export function together(...spoken: Conditions[]): Conditions {
  return {
    said: Object.assign({}, ...spoken.map(({ said }) => said)),
    headers: Object.assign({}, ...spoken.map(({ headers }) => headers)),
  }
}
