import fc from 'fast-check'
import {
  type Command,
  type Cycle,
  command,
  cycle,
  fault,
  fullId,
  type IfMatch,
  ifMatch,
  key,
  partner,
} from './command.ts'
import { areaResource, cycleOf, ifMatchOf, keyOf, together } from './conditions.ts'
import type { Area, Subscription } from './estate.ts'
import { findArea, type Model, outcome } from './model.ts'
import { exchange, type Real } from './real.ts'
import type { Unknown } from './unknown.ts'
import { type Body, items } from './values.ts'
import { bodyText } from './write-commands.ts'
import { addServices, closeRoom, deleteService, openRoom } from './writes.ts'

export const common = { partner, id: fullId, ifMatch, cycle }
export type Common = { partner: number; id: string; ifMatch: IfMatch; cycle: Cycle }

export async function speak(model: Model, real: Real, { partner, id, ifMatch, cycle }: Common, key?: string) {
  const etag = await ifMatchOf(model, real, partner, areaResource(id), ifMatch)
  return together(etag, cycleOf(real, findArea(model, id), cycle), keyOf(key))
}

export type Opening = Common & { key: string | undefined }

export async function performOpen(chosen: Opening, model: Model, real: Real): Promise<void> {
  const { partner, id, key } = chosen
  const { said, headers } = await speak(model, real, chosen, key)
  const expected = outcome(() => openRoom(model, partner, id, said))
  const { path, name: resource } = areaResource(id)
  const keyed = key && `${partner} open ${id} ${key}`
  await exchange(real, { partner, request: `POST ${path}`, headers, resource, keyed }, expected)
}

const open = command('open', fc.record({ ...common, key }), (chosen, model, real) => {
  if (chosen.key !== undefined) real.keyed.push((model, real) => performOpen(chosen, model, real))
  return performOpen(chosen, model, real)
})

export async function performClose(chosen: Common, model: Model, real: Real): Promise<void> {
  const { partner, id } = chosen
  const { said, headers } = await speak(model, real, chosen)
  const expected = outcome(() => closeRoom(model, partner, id, said))
  const { path, name: resource } = areaResource(id)
  await exchange(real, { partner, request: `DELETE ${path}`, headers, resource }, expected)
}

const close = command('close', fc.record(common), performClose)

/** Indexes into `items`: none, one, several, an invalid one, and more than a request may have. */
const which = fc.constantFrom<number[]>(
  [0],
  [0],
  [0],
  [1],
  [2, 3],
  [1, 0, 3],
  [6],
  [6, 7],
  [7],
  [],
  [4],
  [0, 5],
  [0, 1, 2, 3, 0],
)

type Addition = Opening & { fault: Body<unknown>['fault']; which: number[] }

export async function performAdd(chosen: Addition, model: Model, real: Real): Promise<void> {
  const { partner, id, key, fault, which } = chosen
  const { said, headers } = await speak(model, real, chosen, key)
  const value = which.map((index) => items[index] as (typeof items)[number])
  const body = bodyText({ value: JSON.stringify(value.map(({ sent }) => sent)), fault })
  const expected = outcome(() => addServices(model, partner, id, said, { value, fault, text: body }))
  const { path, name: resource } = areaResource(id)
  const keyed = key && `${partner} add ${id} ${key}`
  await exchange(real, { partner, request: `POST ${path}data_services`, headers, body, resource, keyed }, expected)
}

const add = command('add', fc.record({ ...common, key, fault, which }), (chosen, model, real) => {
  const other = { ...chosen, which: [...chosen.which, 0] }
  if (chosen.key !== undefined) {
    real.keyed.push((model, real, otherBody) => performAdd(otherBody ? other : chosen, model, real))
  }
  return performAdd(chosen, model, real)
})

/** Repeats a request with the same key, as a client does that has received no response. */
const again = { nth: fc.nat({ max: 2 }), otherBody: fc.constantFrom(false, false, true) }
export const retry = command('retry', fc.record(again), async ({ nth, otherBody }, model, real) => {
  await real.keyed.at(-1 - nth)?.(model, real, otherBody)
})

/** A subscription of the room, a former one, or one that never existed. */
const remove = command('delete', fc.record({ ...common, nth: fc.nat({ max: 5 }) }), async (chosen, model, real) => {
  const { partner, id, nth } = chosen
  const { said, headers } = await speak(model, real, chosen)
  const [serviceId, actual] = serviceOf(real, findArea(model, id), nth)
  const expected = outcome(() => deleteService(model, partner, id, said, serviceId))
  const { path, name: resource } = areaResource(id)
  await exchange(real, { partner, request: `DELETE ${path}data_services/${actual}`, headers, resource }, expected)
})

export function serviceOf(real: Real, area: Area | undefined, nth: number): [Unknown | 'other', string] {
  const service: Subscription | undefined = area?.services[nth]
  const actual = service && real.learned.values.get(service.id.unknown)
  if (service && actual) return [service.id, actual]
  const gone = [...real.learned.ids].filter((id) => !id.includes('T')).at(-1 - nth)
  const current = area?.services.find(({ id }) => real.learned.values.get(id.unknown) === gone)
  return current && gone ? [current.id, gone] : ['other', gone ?? 'never-was']
}

export const roomCommands: fc.Arbitrary<Command>[] = [open, close, add, add, add, remove, remove, retry, retry]
