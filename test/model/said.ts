import type { Cycle, IfMatch } from './command.ts'
import type { Area } from './estate.ts'
import { type Expected, type Model, outcome } from './model.ts'
import { readArea, readFacility, readList, resources } from './reads.ts'
import { exchange, type Real } from './real.ts'
import type { Said } from './writes.ts'

export interface Spoken {
  said: Said
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

/** Turns the choice of an ETag into a header, and into what it means to the model. */
export async function ifMatchOf(
  model: Model,
  real: Real,
  partner: number,
  { name, path, read }: Resource,
  choice: IfMatch,
): Promise<Spoken> {
  if (choice === 'wrong') return { said: { etag: 'wrong' }, headers: { 'if-match': '"never-was"' } }
  if (choice === '*') return { said: { etag: '*' }, headers: { 'if-match': '*' } }
  if (choice === 'fresh') {
    await exchange(real, { partner, request: `GET ${path}`, resource: name }, read(model, partner))
  }
  const seen = choice === 'none' ? undefined : real.seen.get(`${partner} ${name}`)
  return seen === undefined ? { said: {}, headers: {} } : { said: { etag: seen }, headers: { 'if-match': seen.etag } }
}

const neverWas = '0192f0c1-2d3e-7abc-8def-0123456789ab'

/** The cycle that the room is in, one that it was in, or one that no room ever had. */
export function cycleOf(real: Real, area: Area | undefined, choice: Cycle): Spoken {
  if (choice === 'none') return { said: {}, headers: {} }
  const meant = choice === 'current' ? area?.cycle : area?.pastCycles.at(-1)
  const known = meant && real.learnt.values.get(meant.unknown)
  return meant && known
    ? { said: { cycle: meant }, headers: { 'atrium-cycle': known } }
    : { said: { cycle: 'other' }, headers: { 'atrium-cycle': neverWas } }
}

export function keyOf(key: string | undefined): Spoken {
  return key === undefined ? { said: {}, headers: {} } : { said: { key }, headers: { 'idempotency-key': key } }
}

export function together(...spoken: Spoken[]): Spoken {
  return {
    said: Object.assign({}, ...spoken.map(({ said }) => said)),
    headers: Object.assign({}, ...spoken.map(({ headers }) => headers)),
  }
}
